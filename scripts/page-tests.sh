#!/usr/bin/env bash
# Looks at every web page in every size, in light and dark, in each of its languages. axe-core finds nothing grave,
# nothing sticks out or is cut off, no line is too long to be read. `make proof` looks at each page too, but only at
# some of these together. Arguments go to pytest; `--pictures DIR` keeps pictures.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ -n "${BENJI_BINARY:-}" ] || "$ROOT/scripts/build.sh" debug
exec "$ROOT/scripts/system-tests.sh" --long test_console.py test_console_phone.py test_face_pages.py \
    test_hosted_login.py test_hosted_sms.py test_log.py::test_a_person_asks test_openid.py test_page_designer.py \
    test_sandbox.py test_shop.py "$@"
