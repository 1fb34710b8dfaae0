/// What a user would write instead of the site: a page of the standings by Python's own server, asked of the positions.
enum WebReference {
    static let modules = ["gzip", "html", "http.server", "sqlite3", "sys", "time"]

    static let script = """
        import gzip, html, http.server, sqlite3, sys, time

        QUERIES = (
            "SELECT pair.id, text, country, platform, bundle_id FROM pair JOIN query ON query.id = pair.query "
            "ORDER BY query.ordinal")
        NEWEST = "SELECT at, position FROM position WHERE pair = ? AND at <= ? ORDER BY at DESC LIMIT 1"

        class Page(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *words):
                pass

            def do_GET(self):
                database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
                rows = []
                for pair, *words in database.execute(QUERIES).fetchall():
                    now = database.execute(NEWEST, (pair, int(time.time()))).fetchone()
                    earlier = [
                        database.execute(NEWEST, (pair, now[0] - days * 86400)).fetchone() for days in (1, 7, 30)]
                    cells = words + [now[1]] + [place and place[1] for place in earlier]
                    rows.append("<tr>" + "".join("<td>" + html.escape(str(cell)) for cell in cells))
                database.close()
                page = "<!DOCTYPE html><table>" + "\\n".join(rows[:200]) + "</table>"
                body = gzip.compress(page.encode(), 5)
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        print("listening on http://127.0.0.1:%d" % server.server_port, flush=True)
        server.serve_forever()

        """
}
