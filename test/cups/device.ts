/** A driverless printer (`ippeveprinter`) that writes documents to files and has switchable faults. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunningProcess } from '@platen/deploy/launcher/running-process.ts'
import { startServer } from '@platen/deploy/launcher/start-server.ts'
import { openIppClient } from '../../agent/ipp/client.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'
import { programPath } from './find-cups.ts'

export type TestDevice = Awaited<ReturnType<typeof startDevice>>

export type PrintedDocument = ReturnType<typeof readPrinted>

const START_LIMIT_MS = 60_000

interface Kind {
  /** The attributes, of `devices/`. */
  file: 'laser' | 'label'
  replace?: [RegExp, string]
  /** Arguments of ippeveprinter. */
  args?: string[]
}

const KINDS = {
  /** Takes PDF. */
  laser: { file: 'laser' },
  /** Takes only rasters. */
  label: { file: 'label' },
  /** Makes one copy of a job. */
  single: { file: 'laser', replace: [/copies-supported 1-99/g, 'copies-supported 1-1'] },
  /** Prints up to the edges of the paper. */
  borderless: { file: 'laser', replace: [/(margin(-supported)?) 423/g, '$1 0'] },
  /** Requires a password for each job. */
  locked: { file: 'laser', args: ['-A'] },
  /** Answers IPP 2.0 with HTTP status 400. */
  ipp11: { file: 'laser', args: ['-V', '1.1'] },
} satisfies Record<string, Kind>

export type DeviceKind = keyof typeof KINDS

export async function startDevice(kind: DeviceKind, name: string, directory: string, busSocketPath: string) {
  const port = await freePort()
  const spool = join(directory, 'spool')
  const printedDirectory = join(directory, 'printed')
  for (const each of [spool, printedDirectory, join(directory, 'keys')]) mkdirSync(each, { recursive: true })
  const uri = `ipp://localhost:${port}/ipp/print`
  const devices = join(import.meta.dirname, 'devices')
  let running: RunningProcess | undefined
  const configuration = join(directory, 'device.conf')
  const { file, replace = [/$/, ''], args = [] }: Kind = KINDS[kind]
  writeFileSync(configuration, readFileSync(join(devices, `${file}.conf`), 'utf8').replace(...replace))

  async function start() {
    running = await startServer({
      name,
      command: programPath('ippeveprinter'),
      args: [
        ...args,
        ...['-r', 'off', '-n', 'localhost', '-p', String(port), '-d', spool, '-K', join(directory, 'keys')],
        ...['-a', configuration, '-c', join(devices, 'print-command.sh'), '-v', name],
      ],
      env: {
        ...process.env,
        DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${busSocketPath}`,
        PLATEN_TEST_DEVICE: directory,
      },
      endSignal: 'SIGTERM',
      logFile: join(directory, 'log'),
    })
    const client = openIppClient({ url: uri })
    const answers = () => client.request({ operation: 'Get-Printer-Attributes' })
    await waitFor(answers, START_LIMIT_MS).finally(() => client.close())
  }

  async function stop() {
    await running?.stop()
    running = undefined
  }

  const setFault = (fault: string, isOn: boolean) =>
    isOn ? writeFileSync(join(directory, fault), '') : rmSync(join(directory, fault), { force: true })

  await start()
  return {
    /** The device supports `ipps:` with a self-signed certificate as well. */
    uri,
    start,
    stop,
    /** Prints nothing and reports an error. */
    fail: (isFailing: boolean) => setFault('fail', isFailing),
    /** Waits for media from the next document on, until it is refilled. */
    emptyMedia: (isEmpty: boolean) => setFault('media-empty', isEmpty),
    /** Sets the duration of all following documents. */
    setDelay: (seconds: number) => writeFileSync(join(directory, 'delay'), String(seconds)),
    /** Printed documents, oldest first. */
    printed: () =>
      readdirSync(printedDirectory)
        .filter((file) => !file.startsWith('.') && !file.endsWith('.env'))
        .sort()
        .map((file) => readPrinted(join(printedDirectory, file))),
  }
}

/** @returns with attributes as ippeveprinter names them: `IPP_COPIES`, `IPP_SIDES`, `IPP_MEDIA_COL`. */
function readPrinted(file: string) {
  const lines = existsSync(`${file}.env`) ? readFileSync(`${file}.env`, 'utf8').split('\n') : []
  const pairs = lines.flatMap((line) => /^(IPP_\w+)=(.*)$/.exec(line)?.slice(1, 3) ?? [])
  const attributes: Record<string, string> = {}
  for (let at = 0; at < pairs.length; at += 2) attributes[pairs[at] ?? ''] = pairs[at + 1] ?? ''
  return { file, bytes: readFileSync(file), attributes }
}
