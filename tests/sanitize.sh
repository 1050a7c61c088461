#!/bin/sh
# Builds the core with sanitizers in an environment of its own and runs the agreement tests on it.
set -eu
cd "$(dirname "$0")/.."
environment=.venv-sanitize
if [ ! -x "$environment/bin/python" ]; then
    "${PYTHON:-python3}" -m venv "$environment"
fi
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
    --config-settings=cmake.define.NIWAKI_SANITIZE=ON \
    --config-settings=build-dir=build/sanitize ".[test]"
compiler="${CXX:-c++}"
LD_PRELOAD="$("$compiler" -print-file-name=libasan.so) $("$compiler" -print-file-name=libubsan.so)" \
    ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 \
    "$environment/bin/python" -m pytest tests/agreement -q -x -p no:cacheprovider
