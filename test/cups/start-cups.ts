/**
 * A CUPS for tests, with printers that are programs: a private `cupsd` in a temporary directory, two driverless devices
 * (`ippeveprinter`), a label printer at a TCP port, and a queue to nowhere. As root and as anybody else. Everything that was started
 * ends with `stop`, or with the process that started it.
 */
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { identify, signalProcess } from '@platen/deploy/process-identity.ts'
import type { RunningProcess } from '@platen/deploy/running-process.ts'
import { startLeashed } from '@platen/deploy/start-leashed.ts'
import { onTestFinished } from 'vitest'
import { openIppClient } from '../../agent/ipp/client.ts'
import { freePorts } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'
import { busConf, type CupsdSettings, cupsdConf, cupsFiles, RAW_CONVERSIONS, RAW_TYPES } from './cupsd-configuration.ts'
import { startDevice, type TestDevice } from './device.ts'
import { programPath } from './find-cups.ts'
import { startSocketPrinter, type TestSocketPrinter } from './socket-printer.ts'

/** The queues that there are from the start. */
export const QUEUES = { laser: 'A4_Laser', label: 'Label_4x6', raw: 'Zpl_Raw', null: 'Null_Raw' } as const

export interface TestCups {
  /** For `CUPS_SERVER`: `127.0.0.1:PORT`. */
  server: string
  /** For `CUPS_SERVER`, too. */
  socketPath: string
  /** Behind `A4_Laser`: takes PDF. */
  laser: TestDevice
  /** Behind `Label_4x6`: takes rasters alone, so that CUPS makes them. */
  label: TestDevice
  /** Behind `Zpl_Raw`. */
  socketPrinter: TestSocketPrinter
  /** Runs one of CUPS' own commands, `lpadmin`, `cupsdisable`, `cupsreject`, `lpstat`; returns what it says. */
  run(program: string, ...args: string[]): Promise<string>
  /** Adds a driverless queue for a device, and waits until CUPS knows what the device can do. */
  addDriverless(queue: string, uri: string): Promise<void>
  /** `kill -9`; comes back when it is gone. Its filters and backends live on, as they do when CUPS crashes. */
  kill(): Promise<void>
  /** Orderly: CUPS writes down what it knows. */
  shutDown(): Promise<void>
  /** On the same port, with what is on disk. */
  start(): Promise<void>
  errorLog(): string
  stop(): Promise<void>
}

export interface TestCupsOptions {
  /** Until a change of a job or printer is on disk; CUPS itself waits 30 s, here it is 0: at once. */
  saveAfterSeconds?: number
  /** How long a device takes for a document; 0 if left out. */
  printSeconds?: number
}

const START_LIMIT_MS = 60_000

/** Ends with the test. */
export async function startTestCups(options: TestCupsOptions = {}): Promise<TestCups> {
  const cups = await startCups(options)
  onTestFinished(() => cups.stop())
  return cups
}

/** For several tests: who calls this calls `stop`. */
export async function startCups({ saveAfterSeconds = 0, printSeconds = 0 }: TestCupsOptions = {}): Promise<TestCups> {
  const directory = mkdtempSync(join(tmpdir(), 'platen-cups-'))
  // Where this is root, filters are somebody else.
  chmodSync(directory, 0o755)
  const at = (name: string) => join(directory, name)
  for (const name of ['run', 'etc/ppd', 'etc/ssl', 'state', 'cache', 'spool/tmp', 'log'])
    mkdirSync(at(name), { recursive: true, mode: 0o755 })
  const ports = await freePorts(['cups', 'laser', 'label', 'socket'])
  const socketPath = at('run/cups.sock')
  const server = `127.0.0.1:${ports.cups}`
  writeConfiguration({ directory, port: ports.cups, socketPath, saveAfterSeconds })

  const stops: (() => Promise<void>)[] = []
  const orphans: { pid: number; identity: string }[] = []
  let cupsd: RunningProcess | undefined

  const run = async (program: string, ...args: string[]) => {
    // By the socket CUPS knows who asks, and takes his word without a password.
    const env = { ...process.env, CUPS_SERVER: socketPath, HOME: directory, LC_ALL: 'C' }
    return (await promisify(execFile)(programPath(program), args, { env })).stdout
  }

  async function start() {
    cupsd = await startLeashed({
      name: 'cupsd',
      command: programPath('cupsd'),
      args: ['-f', '-c', at('etc/cupsd.conf'), '-s', at('etc/cups-files.conf')],
      endSignal: 'SIGTERM',
      logFile: at('log/output'),
    })
    await waitFor(() => run('lpstat', '-r').then((said) => expectText(said, 'is running')), START_LIMIT_MS)
  }

  async function shutDown() {
    await cupsd?.stop()
    cupsd = undefined
  }

  async function kill() {
    if (!cupsd) return
    orphans.push(...childrenOf(cupsd.pid))
    process.kill(cupsd.pid, 'SIGKILL')
    await cupsd.ended
    cupsd = undefined
  }

  async function addDriverless(queue: string, uri: string) {
    await run('lpadmin', '-p', queue, '-E', '-v', uri, '-m', 'everywhere')
    // CUPS asks the device in the background.
    const client = openIppClient({ url: 'http://localhost/', socketPath })
    const target = { syntax: 'uri', value: `ipp://localhost/printers/${queue}` } as const
    const isKnown = async () => {
      const answer = await client.request({
        operation: 'Get-Printer-Attributes',
        attributes: { 'printer-uri': target },
      })
      expectText(String(answer.printers[0]?.['printer-make-and-model']), 'IPP Everywhere')
    }
    await waitFor(isKnown, START_LIMIT_MS).finally(() => client.close())
  }

  async function stop() {
    for (const end of stops.toReversed()) await end()
    for (const { pid, identity } of orphans) signalProcess(pid, identity, 'SIGKILL')
    // One that writes still would leave the directory with something in it.
    await waitFor(() => {
      if (orphans.some(({ pid, identity }) => identify(pid) === identity)) throw new Error('a child of CUPS lives on')
    })
    await rm(directory, { recursive: true, force: true })
  }

  try {
    const busSocketPath = at('run/bus.sock')
    writeFileSync(at('run/bus.conf'), busConf(busSocketPath))
    const bus = await startLeashed({
      name: 'dbus-daemon',
      command: programPath('dbus-daemon'),
      args: ['--nofork', `--config-file=${at('run/bus.conf')}`],
      endSignal: 'SIGTERM',
      logFile: at('log/bus'),
    })
    stops.push(() => bus.stop())
    await waitFor(() => expectText(readdirSync(at('run')).join(' '), 'bus.sock'), START_LIMIT_MS)
    const device = async (kind: 'laser' | 'label', name: string) => {
      const started = await startDevice({ name, kind, directory: at(kind), port: ports[kind], busSocketPath })
      stops.push(() => started.stop())
      started.setDelay(printSeconds)
      return started
    }
    const laser = await device('laser', 'Test A4 Laser')
    const label = await device('label', 'Test Label 4x6')
    const socketPrinter = await startSocketPrinter(ports.socket)
    stops.push(() => socketPrinter.stop())
    await start()
    stops.push(shutDown)
    await addDriverless(QUEUES.laser, laser.uri)
    await addDriverless(QUEUES.label, label.uri)
    await run('lpadmin', '-p', QUEUES.raw, '-E', '-v', socketPrinter.uri, '-m', 'raw')
    await run('lpadmin', '-p', QUEUES.null, '-E', '-v', 'file:///dev/null', '-m', 'raw')
    if (saveAfterSeconds > 0) {
      // Else the queues would go with the first kill.
      await shutDown()
      await start()
    }
    const errorLog = () => readFileSync(at('log/error_log'), 'utf8')
    return {
      ...{ server, socketPath, laser, label, socketPrinter },
      ...{ run, addDriverless, kill, shutDown, start, errorLog, stop },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function writeConfiguration(settings: CupsdSettings): void {
  const write = (name: string, text: string) => writeFileSync(join(settings.directory, 'etc', name), text)
  write('cups-files.conf', cupsFiles(settings))
  write('cupsd.conf', cupsdConf(settings))
  write('raw.types', RAW_TYPES)
  write('raw.convs', RAW_CONVERSIONS)
}

function childrenOf(pid: number): { pid: number; identity: string }[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return pids.flatMap((child) => {
    const identity = identify(child)
    return identity ? [{ pid: child, identity }] : []
  })
}

/** For `waitFor`. */
function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${text.trim()}" does not say "${part}".`)
}
