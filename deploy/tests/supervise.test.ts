import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../test/harness/wait-for.ts'
import { identify } from '../process-identity.ts'
import { startProcess } from '../start-process.ts'
import { type Supervisor, supervise } from '../supervise.ts'
import { temporaryDirectory } from './temporary-directory.ts'

async function superviseFake(behaviour: string) {
  const logFile = join(await temporaryDirectory(), 'fake.log')
  const service = { name: 'fake', script: 'deploy/tests/fake-service.ts', args: [behaviour], logFile }
  const pids: number[] = []
  const failures: unknown[] = []
  const supervisor: Supervisor = supervise(
    { name: 'fake', start: (options) => startProcess(service, options) },
    { onPid: (_name, pid) => pids.push(pid), say: () => undefined, giveUp: (error) => failures.push(error) },
  )
  onTestFinished(() => supervisor.stop())
  return { supervisor, pids, failures }
}

test('a process that dies is started again', async () => {
  const { supervisor, pids } = await superviseFake('ready')
  await supervisor.ready
  process.kill(pids[0] as number, 'SIGKILL')
  await waitFor(() => expect(pids).toHaveLength(2))
})

test('a process that dies 5 times within a minute is given up, with the last error of its log', {
  timeout: 90_000,
}, async () => {
  const { pids, failures } = await superviseFake('crash')
  await waitFor(() => expect(failures).toHaveLength(1), 60_000)
  expect(pids).toHaveLength(5)
  expect(String(failures[0])).toMatch(
    /fake ended 5 times within a minute \(exit code 7\): the disk is on fire \(its log: .*fake\.log\)/,
  )
})

test('a process that is still starting when everything stops is ended', async () => {
  const { supervisor, pids, failures } = await superviseFake('silent')
  const ready = expect(supervisor.ready).rejects.toThrow()
  await waitFor(() => expect(pids).toHaveLength(1))
  await supervisor.stop()
  await ready
  expect(identify(pids[0] as number)).toBeUndefined()
  expect(failures).toEqual([])
})
