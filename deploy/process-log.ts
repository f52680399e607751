/** The file that a process writes its output to, and what it said there last. */
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'

/** A log that has grown over this is set aside at the next start, in place of the one before it. */
const SET_ASIDE_BYTES = 20 * 1024 * 1024
const TAIL_BYTES = 64 * 1024

export interface ProcessLog {
  file: string
  /** To be given to the process, then closed. */
  descriptor: number
  /** Where this process's own output begins. */
  offset: number
}

export function openProcessLog(file: string): ProcessLog {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > SET_ASIDE_BYTES) renameSync(file, `${file}.1`)
  const descriptor = openSync(file, 'a', 0o600)
  return { file, descriptor, offset: fstatSync(descriptor).size }
}

/** The last of the most severe lines; empty if the process logged only news. */
export function lastErrorLine({ file, offset }: Pick<ProcessLog, 'file' | 'offset'>): string {
  const lines = readTail(file, offset)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readLine)
  return lines.reduce((worst, line) => (line.severity >= worst.severity ? line : worst), { text: '', severity: 1 }).text
}

function readTail(file: string, offset: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const start = Math.max(offset, size - TAIL_BYTES)
    const tail = Buffer.alloc(size - start)
    readSync(descriptor, tail, 0, tail.length, start)
    return tail.toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}

interface Line {
  text: string
  /** 3: why a service stopped, 2: an error, 1: unknown, 0: news. */
  severity: number
}

/** Services write pino's JSON; PostgreSQL "FATAL:" and "LOG:"; nats-server "[FTL]" and "[INF]"; a crashing Node "Error:". */
function readLine(text: string): Line {
  if (text.startsWith('{')) {
    const { level = 0, msg, err } = parseLine(text)
    const told = [msg, err?.message].filter((part) => part !== undefined).join(': ')
    return { text: told || text, severity: level >= 60 ? 3 : level >= 50 ? 2 : 0 }
  }
  const isError = /\b(FATAL|PANIC|ERROR|FTL|ERR)\b|Error\b/.test(text)
  return { text: text.trim(), severity: isError ? 2 : /\b(LOG|INF)\b/.test(text) ? 0 : 1 }
}

interface LogLine {
  level?: number
  msg?: string
  err?: { message?: string }
}

function parseLine(text: string): LogLine {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The first line of the tail may be cut.
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
