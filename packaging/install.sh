#!/bin/sh
# Copies rankd, rankctl and rankweb, with their manual, completions and units, from the folder of this file to PREFIX
# (default /usr/local). DESTDIR, for packagers, goes before PREFIX. Without it the programs work where they are.
set -eu
cd "$(dirname "$0")"
prefix=${PREFIX:-/usr/local}
root=${DESTDIR:-}
case $prefix in
/*[!A-Za-z0-9._/+-]* | [!/]* | "")
    printf '%s\n' "install: PREFIX is $prefix: give an absolute path with only letters, digits and . _ + -" >&2
    exit 64
    ;;
esac

run() { "$@"; }
parent=$root$prefix
while [ ! -d "$parent" ]; do parent=$(dirname "$parent"); done
if [ ! -w "$parent" ] && [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        printf '%s\n' "install: you may not write to $parent: run this as root, or set PREFIX" >&2
        exit 1
    fi
    run() { sudo "$@"; }
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
find bin lib share -type f | while read -r file; do
    from=$file
    to=$root$prefix/$file
    mode=0644
    case $file in
    bin/*) mode=0755 ;;
    lib/systemd/system/*)
        # The units name the programs by their full path.
        sed "s|/usr/bin/rank|$prefix/bin/rank|g" "$file" >"$work/unit"
        from=$work/unit
        ;;
    # zsh looks for functions outside /usr in another folder.
    share/zsh/*) [ "$prefix" = /usr ] || to=$root$prefix/share/zsh/site-functions/${file##*/} ;;
    esac
    run install -d -m 0755 "$(dirname "$to")"
    run install -m "$mode" "$from" "$to"
done
# One program under three names.
for name in rankctl rankweb; do run ln -sf rankd "$root$prefix/bin/$name"; done

echo "Installed rankd, rankctl and rankweb in $root$prefix/bin; see man rankctl."
if [ "$(uname -s)" = Linux ]; then
    cat <<DONE
To run rankd as a service:
  sudo systemd-sysusers $prefix/lib/sysusers.d/rankd.conf
  sudo install -d -m 0755 /etc/rankd
  sudo $prefix/bin/rankctl init --watchlist /etc/rankd/watchlist.json   # asks for your app
  rankctl watch check /etc/rankd/watchlist.json
  sudo systemctl daemon-reload
  sudo systemctl enable --now rankd
$prefix/share/rankd/watchlist.example.json shows the rest that a watchlist can say.
To see its pages in a browser, read docs/web.md.
DONE
fi
