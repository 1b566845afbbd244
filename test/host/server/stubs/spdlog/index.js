'use strict';
// Stands in for the native @vscode/spdlog, which would need a compiler: the same calls, appending to the log file.
const fs = require('fs');
const path = require('path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const FLUSH_DELAY_MS = 50;
const loggers = new Set();

class Logger {
  constructor(file) {
    this.file = file;
    this.level = LEVELS.indexOf('info');
    this.raw = false;
    this.pending = '';
    this.timer = undefined;
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    this.pending += this.raw ? message : `${time} [${LEVELS[level]}] ${message}\n`;
    this.timer ??= setTimeout(() => this.flush(), FLUSH_DELAY_MS);
    this.timer.unref?.();
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }

  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.raw = true;
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.pending;
    this.pending = '';
    try {
      if (text) fs.appendFileSync(this.file, text);
    } catch {
      // The log folder is removed when a session ends; a late line is not worth a crash.
    }
  }
  drop() {
    this.flush();
  }
}

async function createLogger(_name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const logger = new Logger(file);
  loggers.add(logger);
  return logger;
}

process.on('exit', () => {
  for (const logger of loggers) logger.flush();
});

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
