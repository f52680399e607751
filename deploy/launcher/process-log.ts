/** The log file of a process and its last error. */
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'

/** The next start rotates a larger log and replaces the previous one. */
const ROTATE_BYTES = 20 * 1024 * 1024
const TAIL_BYTES = 64 * 1024

export interface ProcessLog {
  file: string
  /** Close it after the start of the process. */
  descriptor: number
  /** The beginning of the output of this process. */
  offset: number
}

export function openProcessLog(file: string): ProcessLog {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > ROTATE_BYTES) renameSync(file, `${file}.1`)
  const descriptor = openSync(file, 'a', 0o600)
  return { file, descriptor, offset: fstatSync(descriptor).size }
}

/** @returns the last of the most severe lines; empty if the log contains only information or was deleted. */
export function lastErrorLine({ file, offset }: Pick<ProcessLog, 'file' | 'offset'>): string {
  const lines = readTail(file, offset)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine)
  return lines.reduce((worst, line) => (line.severity >= worst.severity ? line : worst), { text: '', severity: 1 }).text
}

function readTail(file: string, offset: number): string {
  if (!existsSync(file)) return ''
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    // A shorter log was truncated, for example to free space.
    const start = Math.max(offset > size ? 0 : offset, size - TAIL_BYTES)
    const tail = Buffer.alloc(size - start)
    readSync(descriptor, tail, 0, tail.length, start)
    return tail.toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}

interface Line {
  text: string
  /** 3: the cause of a stop, 2: an error, 1: unknown, 0: information. */
  severity: number
}

/**
 * Services log JSON (pino), PostgreSQL "FATAL:" and "LOG:", nats-server "[FTL]" and "[INF]", a crash of Node "Error:".
 */
function parseLine(text: string): Line {
  if (text.startsWith('{')) {
    const { level, msg, err } = parseJson(text)
    const message = [msg, err?.message].filter((part) => part !== undefined).join(': ')
    return { text: message || text, severity: level === 'fatal' ? 3 : level === 'error' ? 2 : 0 }
  }
  const isError = /\b(FATAL|PANIC|ERROR|FTL|ERR)\b|Error\b/.test(text)
  return { text: text.trim(), severity: isError ? 2 : /\b(LOG|INF)\b/.test(text) ? 0 : 1 }
}

interface LogLine {
  level?: string
  msg?: string
  err?: { message?: string }
}

function parseJson(text: string): LogLine {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The first line of the tail may be incomplete.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
