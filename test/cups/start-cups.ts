/**
 * A private CUPS in a temporary directory, as root or as another user. All processes end with `stop`, or with the
 * process that started them.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { identify, signalProcess } from '@platen/deploy/launcher/process-identity.ts'
import type { RunningProcess } from '@platen/deploy/launcher/running-process.ts'
import { startServer } from '@platen/deploy/launcher/start-server.ts'
import { openIppClient } from '../../agent/ipp/client.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'
import { busConf, cupsdConf, cupsFiles, RAW_CONVERSIONS, RAW_TYPES } from './cupsd-configuration.ts'
import { startDevice } from './device.ts'
import { programPath } from './find-cups.ts'

/** The queues of `startCups`. */
export const QUEUES = { laser: 'A4_Laser', label: 'Label_4x6', raw: 'Raw' } as const

/** What another process needs to use a CUPS. */
export interface CupsAddress {
  /** For `CUPS_SERVER`: `127.0.0.1:PORT`. */
  server: string
  /** For `CUPS_SERVER`, too. */
  socketPath: string
  /** The D-Bus that devices need. */
  busSocketPath: string
  directory: string
}

export type CupsServer = Awaited<ReturnType<typeof startCupsServer>>
export type TestCups = Awaited<ReturnType<typeof startCups>>

const START_LIMIT_MS = 60_000

/** Runs one of CUPS' own commands (`lpadmin`, `cupsdisable`, `lpstat`). @returns its output. */
export async function runCupsCommand(cups: CupsAddress, program: string, ...args: string[]): Promise<string> {
  const run = () => execute(cups, program, args)
  return program === 'lpadmin' ? await runAlone(cups, run) : await run()
}

async function execute({ socketPath, directory }: CupsAddress, program: string, args: string[]): Promise<string> {
  // On the socket CUPS knows the user and needs no password.
  const env = { ...process.env, CUPS_SERVER: socketPath, HOME: directory, LC_ALL: 'C' }
  return (await promisify(execFile)(programPath(program), args, { env })).stdout
}

/**
 * For all workers that share a CUPS. CUPS 2.4.2 crashes if a queue is added or removed while it asks a device about a
 * new driverless queue (measured: within a second).
 */
async function runAlone<T>({ directory }: CupsAddress, work: () => Promise<T>): Promise<T> {
  const lock = join(directory, 'lpadmin')
  await waitFor(() => mkdirSync(lock), START_LIMIT_MS)
  try {
    return await work()
  } finally {
    rmdirSync(lock)
  }
}

/**
 * Adds a driverless queue for a device of the kind. The second queue of a kind takes what CUPS has found out about the
 * first.
 */
export async function addDriverless(cups: CupsAddress, queue: string, kind: string, deviceUri: string): Promise<void> {
  const known = join(cups.directory, `${kind}.ppd`)
  await runAlone(cups, async () => {
    const add = (...how: string[]) => execute(cups, 'lpadmin', ['-p', queue, '-E', '-v', deviceUri, ...how])
    if (existsSync(known)) return void (await add('-P', known))
    await add('-m', 'everywhere')
    await untilKnown(cups, queue)
    copyFileSync(join(cups.directory, 'etc', 'ppd', `${queue}.ppd`), known)
  })
}

/** CUPS asks the device in the background. */
async function untilKnown({ socketPath }: CupsAddress, queue: string): Promise<void> {
  const client = openIppClient({ url: 'http://localhost/', socketPath })
  const attributes = { 'printer-uri': { syntax: 'uri', value: `ipp://localhost/printers/${queue}` } } as const
  const isKnown = async () => {
    const { printers } = await client.request({ operation: 'Get-Printer-Attributes', attributes })
    expectText(String(printers[0]?.['printer-make-and-model']), 'IPP Everywhere')
  }
  await waitFor(isKnown, START_LIMIT_MS).finally(() => client.close())
}

/**
 * Without queues.
 *
 * @param saveAfterSeconds until a change of a job or printer is on disk; CUPS itself waits 30 s, here it is 0: at once.
 */
export async function startCupsServer({ saveAfterSeconds = 0 } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'platen-cups-'))
  // The filters of root's CUPS run as another user.
  chmodSync(directory, 0o755)
  const at = (name: string) => join(directory, name)
  for (const name of ['run', 'etc/ppd', 'etc/ssl', 'state', 'cache', 'spool/tmp', 'log'])
    mkdirSync(at(name), { recursive: true, mode: 0o755 })
  const port = await freePort()
  const socketPath = at('run/cups.sock')
  const address: CupsAddress = { server: `127.0.0.1:${port}`, socketPath, busSocketPath: at('run/bus.sock'), directory }
  writeFileSync(at('etc/cups-files.conf'), cupsFiles(directory))
  writeFileSync(at('etc/cupsd.conf'), cupsdConf(port, socketPath, saveAfterSeconds))
  writeFileSync(at('etc/raw.types'), RAW_TYPES)
  writeFileSync(at('etc/raw.convs'), RAW_CONVERSIONS)
  const run = (program: string, ...args: string[]) => runCupsCommand(address, program, ...args)
  const orphans: { pid: number; identity: string }[] = []
  let bus: RunningProcess | undefined
  let cupsd: RunningProcess | undefined

  /** On the same port, with what is on disk. */
  async function start() {
    const started = await startServer({
      name: 'cupsd',
      command: programPath('cupsd'),
      args: ['-f', '-c', at('etc/cupsd.conf'), '-s', at('etc/cups-files.conf')],
      endSignal: 'SIGTERM',
      logFile: at('log/output'),
    })
    cupsd = started
    void started.ended.then((how) => {
      if (cupsd === started) console.error(`cupsd ended by itself (${how}): ${readFileSync(at('log/output'), 'utf8')}`)
    })
    await waitFor(() => run('lpstat', '-r').then((answer) => expectText(answer, 'is running')), START_LIMIT_MS)
  }

  /** CUPS writes its state to the disk. */
  async function shutDown() {
    const stopped = cupsd
    cupsd = undefined
    await stopped?.stop()
  }

  /** `kill -9`. Filters and backends survive, as they do when CUPS crashes. */
  async function kill() {
    if (!cupsd) return
    const killed = cupsd
    cupsd = undefined
    orphans.push(...readChildren(killed.pid))
    process.kill(killed.pid, 'SIGKILL')
    await killed.ended
  }

  async function stop() {
    await shutDown()
    await bus?.stop()
    for (const { pid, identity } of orphans) signalProcess(pid, identity, 'SIGKILL')
    // A process that still writes would leave files in the directory.
    await waitFor(() => {
      if (orphans.some(({ pid, identity }) => identify(pid) === identity)) throw new Error('a child of CUPS lives on')
    })
    await rm(directory, { recursive: true, force: true })
  }

  try {
    writeFileSync(at('run/bus.conf'), busConf(address.busSocketPath))
    bus = await startServer({
      name: 'dbus-daemon',
      command: programPath('dbus-daemon'),
      args: ['--nofork', `--config-file=${at('run/bus.conf')}`],
      endSignal: 'SIGTERM',
      logFile: at('log/bus'),
    })
    await waitFor(() => expectText(readdirSync(at('run')).join(' '), 'bus.sock'), START_LIMIT_MS)
    await start()
    return { ...address, getPid: () => cupsd?.pid ?? 0, run, kill, shutDown, start, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** With two driverless devices (`laser` takes PDF, `label` rasters) and a raw queue to /dev/null. */
export async function startCups({ saveAfterSeconds = 0 } = {}) {
  const cups = await startCupsServer({ saveAfterSeconds })
  const stops = [() => cups.stop()]
  const stop = async () => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    const device = async (kind: 'laser' | 'label', name: string) => {
      const started = await startDevice(kind, name, join(cups.directory, kind), cups.busSocketPath)
      stops.push(() => started.stop())
      await addDriverless(cups, QUEUES[kind], kind, started.uri)
      return started
    }
    const laser = await device('laser', 'Test A4 Laser')
    const label = await device('label', 'Test Label 4x6')
    await cups.run('lpadmin', '-p', QUEUES.raw, '-E', '-v', 'file:///dev/null', '-m', 'raw')
    if (saveAfterSeconds > 0) {
      // Otherwise the first kill would delete the queues.
      await cups.shutDown()
      await cups.start()
    }
    return { ...cups, laser, label, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function readChildren(pid: number): { pid: number; identity: string }[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return pids.flatMap((child) => {
    const identity = identify(child)
    return identity ? [{ pid: child, identity }] : []
  })
}

/** For `waitFor`. */
function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${text.trim()}" does not contain "${part}".`)
}
