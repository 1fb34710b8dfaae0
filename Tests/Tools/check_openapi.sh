#!/bin/sh
# Holds a running rankweb to its own description of the API: the description is a valid OpenAPI document, and what comes
# back to all kinds of requests is what it says.
#
# usage: check_openapi.sh ORIGIN TOKEN [SECONDS]
#   ORIGIN   such as http://127.0.0.1:8080, where requests are not limited to so many a minute
#   TOKEN    one of its token file that sees everything
#   SECONDS  how long to go on asking (default: 60)
#   PYTHON   (environment) a python with openapi-spec-validator and schemathesis; python3 if it is not set
#
# Ends with 0 if all is well. What was found is said on stdout, each with a curl command that shows it again.
set -eu

origin=${1:?usage: check_openapi.sh ORIGIN TOKEN [SECONDS]}
token=${2:?usage: check_openapi.sh ORIGIN TOKEN [SECONDS]}
seconds=${3:-60}
python=${PYTHON:-python3}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

curl --fail --silent --show-error --max-time 20 --header "Authorization: Bearer $token" \
    --output "$folder/openapi.json" "$origin/api/v1/openapi.json"
"$python" -m openapi_spec_validator "$folder/openapi.json"

# After some wrong tokens the next have to wait, with 429, which ignored_auth takes for a fault: the tests of the site try
# wrong tokens.
# A time, a country or a version is any text to a schema: that a report refuses one with a status that is described is
# right. The search is left out: it answers three times a minute, and asks somebody else.
cat >"$folder/schemathesis.toml" <<'TOML'
[checks]
positive_data_acceptance.expected-statuses = [200, 304, 400, 404]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 414, 421, 429, 431]
TOML
cd "$folder"
"$python" -m schemathesis.cli --config-file "$folder/schemathesis.toml" run "$folder/openapi.json" \
    --url "$origin" --header "Authorization: Bearer $token" --checks all --exclude-checks ignored_auth --phases examples,coverage,fuzzing \
    --exclude-path /api/v1/search --max-time "$seconds" --request-timeout 10 --seed 1 --no-color
