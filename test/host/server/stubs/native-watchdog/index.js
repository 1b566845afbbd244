'use strict';
// Stands in for the native @vscode/native-watchdog, which would need a compiler: nothing is watched.
exports.start = () => {};
