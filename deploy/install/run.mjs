/**
 * Runs other programs for the installation. They do not outlive it. npm sends SIGTERM only to the shell that it
 * started, so an installation ends, with its programs, when its parent has ended.
 */
import { spawn } from 'node:child_process'

const PARENT_POLL_MS = 200
const END_TIMEOUT_MS = 3_000

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

export class CommandFailed extends Error {
  /**
   * @param {string} command
   * @param {string} output standard output and standard error
   */
  constructor(command, output) {
    super(`${command} failed`)
    this.output = output
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<string>} standard output and standard error
 * @throws CommandFailed if it cannot be started or its exit code is not 0.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const grouped = process.platform !== 'win32'
    const child = spawn(command, args, { ...options, detached: grouped, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    let output = ''
    const append = (/** @type {string} */ text) => {
      output += text
    }
    child.stdout?.setEncoding('utf8').on('data', append)
    child.stderr?.setEncoding('utf8').on('data', append)
    child.once('error', (error) => {
      running.delete(child)
      reject(new CommandFailed(command, error.message))
    })
    child.once('close', (code) => {
      running.delete(child)
      if (code === 0) resolve(output)
      else reject(new CommandFailed(command, output))
    })
  })
}

/** Ends this process and the programs of `run` after a signal or the end of the parent. */
export function endWithParent() {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && end(1), PARENT_POLL_MS).unref()
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]))
    process.once(signal, () => end(128 + number))
}

/** @param {number} exitCode */
function end(exitCode) {
  for (const child of running) {
    child.once('close', () => running.size === 0 && process.exit(exitCode))
    signalGroup(child, 'SIGTERM')
  }
  if (running.size === 0) process.exit(exitCode)
  setTimeout(() => {
    for (const child of running) signalGroup(child, 'SIGKILL')
    process.exit(exitCode)
  }, END_TIMEOUT_MS)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
