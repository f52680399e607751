/** Processes of the launcher end with it and are restarted. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endAfterFullDisk } from '@platen/deploy/launcher/end-after-full-disk.ts'
import { identify } from '@platen/deploy/launcher/process-identity.ts'
import { startProcess } from '@platen/deploy/launcher/start-process.ts'
import { startServer } from '@platen/deploy/launcher/start-server.ts'
import { Supervisor } from '@platen/deploy/launcher/supervise.ts'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-launcher-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** PostgreSQL and nats-server with their own launcher. */
async function holdServers(directory: string) {
  const args = [join(import.meta.dirname, 'hold-servers.ts'), directory]
  const launcher = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(launcher.stdout), 'line')
  const pids: number[] = Object.values(JSON.parse(line))
  onTestFinished(() => {
    for (const pid of pids) if (identify(pid)) process.kill(pid, 'SIGKILL')
  })
  return { launcher, pids }
}

/** @returns the pid of a process that has ended and is not waited for, of the user that PostgreSQL runs as. */
async function createZombie(): Promise<number> {
  const unprivileged = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
    ...unprivileged,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void parent.kill())
  const [line] = await once(createInterface(parent.stdout), 'line')
  await waitFor(() => expect(identify(Number(line))).toBeUndefined())
  expect(process.kill(Number(line), 0)).toBe(true)
  return Number(line)
}

test('servers stop when their launcher is killed, and restart on the same data at once, also after SIGSTOP and beside a zombie with the pid of the last PostgreSQL', async () => {
  const directory = await temporaryDirectory()
  for (const stopped of [false, true]) {
    if (stopped) await writeFile(join(directory, 'postgres/postmaster.pid'), `${await createZombie()}\n`)
    const { launcher, pids } = await holdServers(directory)
    if (stopped) for (const pid of pids) process.kill(pid, 'SIGSTOP')
    launcher.kill('SIGKILL')
    await waitFor(() => expect(pids.map(identify)).toEqual([undefined, undefined]))
  }
})

async function startShell(script: string) {
  const logFile = join(await temporaryDirectory(), 'log')
  return await startServer({ name: 'server', command: '/bin/sh', args: ['-c', script], endSignal: 'SIGTERM', logFile })
}

test('a stopped server and its shell have ended', async () => {
  const server = await startShell('exec sleep 60')
  await server.stop()
  expect(identify(server.pid)).toBeUndefined()
})

test.each([
  ['exit 3', 'exit code 3'],
  ['kill -KILL $$', 'signal 9'],
])('the launcher learns how a server ended: %s', async (script, how) => {
  expect(await (await startShell(script)).ended).toBe(how)
})

async function fakeService(behaviour: string) {
  const logFile = join(await temporaryDirectory(), 'fake.log')
  return { name: 'fake', script: 'test/faults/fake-service.ts', args: [behaviour], logFile }
}

/** @param isDiskFull at each end of the process. */
async function superviseFake(behaviour: string, isDiskFull: boolean[] = []) {
  const service = await fakeService(behaviour)
  const pids: number[] = []
  const reports: string[] = []
  const failures: unknown[] = []
  const supervisor = new Supervisor(
    { name: 'fake', start: (options) => startProcess(service, options) },
    {
      onPid: (_name, pid) => pids.push(pid),
      report: (line) => reports.push(line),
      isDiskFull: async () => isDiskFull.shift() ?? false,
      onFailed: (error) => failures.push(error),
    },
  )
  onTestFinished(() => supervisor.stop())
  return { supervisor, pids, reports, failures }
}

test('a process that ends unexpectedly is restarted', async () => {
  const { supervisor, pids } = await superviseFake('ready')
  await supervisor.ready
  process.kill(pids[0] as number, 'SIGKILL')
  await waitFor(() => expect(pids).toHaveLength(2))
})

test('a process that ends 5 times within a minute is not restarted, without an end while the disk is full; the error contains the last error of its log', async () => {
  const { pids, reports, failures } = await superviseFake('crash', [true])
  await waitFor(() => expect(failures).toHaveLength(1), 60_000)
  expect(pids).toHaveLength(1 + 5)
  const ended = 'fake ended (exit code 7), restarting'
  expect(reports).toEqual([`${ended} until the disk has free space`, ...Array(5).fill(ended)])
  const reason = /fake ended 5 times within a minute \(exit code 7\): the disk is on fire \(log: .*fake\.log\)/
  expect(String(failures[0])).toMatch(reason)
})

test('a process whose pid cannot be recorded is stopped', async () => {
  let pid = 0
  const onPid = (started: number) => {
    pid = started
    throw new Error('no space left on device')
  }
  await expect(startProcess(await fakeService('ready'), { onPid })).rejects.toThrow('no space')
  expect(identify(pid)).toBeUndefined()
})

test('a process that a full disk can break is restarted when the disk has space again', async () => {
  const service = await fakeService('ready')
  const isDiskFull = [false, true, true, false]
  const process = endAfterFullDisk(await startProcess(service), async () => isDiskFull.shift() ?? false)
  expect(await process.ended).toBe('stopped after a full disk')
  expect([identify(process.pid), isDiskFull]).toEqual([undefined, []])
})

test('a process that is still starting is stopped with the others', async () => {
  const { supervisor, pids, failures } = await superviseFake('silent')
  const ready = expect(supervisor.ready).rejects.toThrow()
  await waitFor(() => expect(pids).toHaveLength(1))
  await supervisor.stop()
  await ready
  expect([identify(pids[0] as number), failures]).toEqual([undefined, []])
})
