/** Commands of users to agents: docs/reference/computers.md#commands. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Msg } from '@nats-io/transport-node'
import { DIAGNOSTICS_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import type { CommandResultSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { COMMAND_LIMITS } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test, vi } from 'vitest'
import { Commands } from '../../agents/commands.ts'
import { sweepEnded } from '../../timers/sweep-ended.ts'
import { type ConnectOptions, startTestDevices } from '../start-test-devices.ts'

type Result = MessageInitShape<typeof CommandResultSchema>['result']

const FIND = { case: 'findPrinters', value: {} } as const
const FOUND = { name: 'Office', uri: 'ipp://10.0.0.9/ipp/print', model: 'Laser 4', supportsPdf: true }

async function start(options: ConnectOptions = { commands: ['findPrinters'] }) {
  const started = await startTestDevices()
  const connected = await started.connect(options)
  const run = () => started.devices.runCommand({ ...connected.computerIds, command: { command: FIND } })
  return {
    ...started,
    ...connected,
    run,
    /** @param number of the command. @returns the answer to it, for which the agent sends this result. */
    async answer(result: Result, number = 1) {
      const running = run()
      const commands = await connected.agent.waitForMessages('command', number)
      const { commandId } = commands.at(-1) ?? expect.fail('no command')
      connected.agent.send({ case: 'commandResult', value: { commandId, result } })
      return await running
    },
  }
}

const failure = (message: string | RegExp) => ({ code: 'command_failed', message: expect.stringMatching(message) })

test('the result of a command is the answer of the agent, bounded like all its messages', async () => {
  proves('command.bounds')
  const { answer } = await start()
  const printers = [FOUND, { name: 'x'.repeat(300), uri: 'socket://10.0.0.8:9100' }, { uri: 'http://10.0.0.7/' }]
  const { result } = await answer({ case: 'findPrinters', value: { printers } })
  expect(result?.result.value).toMatchObject({ printers: [FOUND, { name: 'x'.repeat(255) }] })
})

test('a refusal of the agent is the message of the error, without control characters', async () => {
  proves('command.refused')
  const { answer } = await start()
  await expect(answer({ case: 'failure', value: { message: 'The owner\0forbids it.' } })).rejects.toMatchObject(
    failure('^The owner forbids it.$'),
  )
})

test('an offline computer, one of another organization, and an agent without commands get none', async () => {
  proves('command.offline', 'command.unknown')
  const { agent, run, computerBecomes, devices, computerIds } = await start({})
  await expect(run()).rejects.toMatchObject(failure(/version 1\.0\.0.*Update the agent/))
  const { organizationId } = await startTestDevices()
  const foreign = { ...computerIds, organizationId, command: { command: FIND } }
  await expect(devices.runCommand(foreign)).rejects.toMatchObject({ code: 'not_found' })
  agent.shutDown()
  await computerBecomes({ state: 'offline' })
  await expect(run()).rejects.toMatchObject(failure(/offline/))
  expect(agent.messages.map((message) => message.case)).not.toContain('command')
})

test('a command whose stream ends, or whose result is of another command, fails', async () => {
  proves('command.lost')
  const { agent, run, connect, credential, answer, isDisconnected } = await start()
  await expect(answer({ case: undefined })).rejects.toMatchObject(failure(/another result/))
  const running = run()
  await agent.waitForMessages('command', 2)
  agent.drop()
  await expect(running).rejects.toMatchObject(failure(/connection of the computer ended/))
  await isDisconnected()
  await expect(run()).rejects.toMatchObject(failure(/offline/))
  const { agent: next } = await connect({ credential })
  expect(next.messages.map((message) => message.case)).not.toContain('command')
})

test('a command that no replica has signed is not sent to the agent, also not a repeated or delayed one', async () => {
  proves('command.signed')
  const { agent, answer, connect, world, advance } = await start()
  const { connection } = world.nats
  const messages: Msg[] = []
  connection.subscribe('platen.devices.commands.*', { callback: (_error, message) => void messages.push(message) })
  await connection.flush()
  await answer(FIND)
  const [{ subject, data, headers, reply } = expect.fail('no command')] = messages
  const other = await connect({ commands: ['findPrinters'] })
  const toOther = `platen.devices.commands.${other.computerId}`
  const unanswered = `${reply}.other`
  const messageHeaders = { headers: headers ?? expect.fail('no signature') }
  connection.publish(subject, data, { reply })
  connection.publish(subject, data, { ...messageHeaders, reply })
  connection.publish(subject, data, { ...messageHeaders, reply: unanswered })
  connection.publish(subject, data.with(-1, 1), { ...messageHeaders, reply: unanswered })
  connection.publish(toOther, data, { ...messageHeaders, reply })
  await connection.flush()
  await answer(FIND, 2)
  advance(121)
  connection.publish(subject, data, { ...messageHeaders, reply })
  await connection.flush()
  await answer(FIND, 3)
  const commands = [agent, other.agent].map(({ messages }) => messages.filter(({ case: name }) => name === 'command'))
  expect(commands.map(({ length }) => length)).toEqual([3, 0])
})

test('8 commands wait for an agent at once, each for 15 s, and a late or invented result is ignored', async () => {
  proves('command.limit', 'command.15s')
  vi.useFakeTimers()
  try {
    const send = vi.fn()
    const commands = new Commands({ agentVersion: '1.0.0', commands: ['findPrinters'] }, send)
    const results = Array.from({ length: COMMAND_LIMITS.pendingMax }, () => commands.run(FIND as never))
    expect(await commands.run(FIND as never)).toMatchObject({ value: { message: expect.stringContaining('other') } })
    expect(send).toHaveBeenCalledTimes(8)
    vi.advanceTimersByTime(14_999)
    const [{ value }] = send.mock.calls.at(-1) ?? expect.fail('nothing sent')
    expect(commands.finish({ commandId: value.commandId, result: FIND } as never)).toBe(true)
    expect(await results.at(-1)).toMatchObject({ case: 'findPrinters' })
    vi.advanceTimersByTime(1)
    expect(await results[0]).toMatchObject({ value: { message: expect.stringContaining('within 15 s') } })
    const [[first] = expect.fail()] = send.mock.calls
    expect(commands.finish({ commandId: first.value.commandId, result: FIND } as never)).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('the newest 3 diagnostics of a computer are kept for 14 days, as bounded plain text', async () => {
  proves('diagnostics.kept', 'diagnostics.bounds')
  const { devices, agent, computerIds, advance, world } = await start({ commands: ['collectDiagnostics'] })
  const collect = async (number: number, text: string) => {
    const collecting = devices.collectDiagnostics(computerIds)
    const { commandId } = (await agent.waitForMessages('command', number)).at(-1) ?? expect.fail('no command')
    const result = { case: 'collectDiagnostics', value: { text } } as const
    agent.send({ case: 'commandResult', value: { commandId, result } })
    return (await collecting).diagnostics
  }
  const kept = async () => (await devices.listDiagnostics(computerIds)).diagnostics.map(({ text }) => text)
  expect(await collect(1, `ab\0\n<b>\u2028${'é'.repeat(DIAGNOSTICS_MAX_BYTES)}`)).toMatchObject({
    text: expect.stringMatching(/^ab \n<b> é+$/),
  })
  expect(Buffer.byteLength((await kept())[0] ?? '')).toBe(DIAGNOSTICS_MAX_BYTES)
  for (const [n, text] of ['b', 'c', 'd'].entries()) await collect(n + 2, text)
  expect(await kept()).toEqual(['d', 'c', 'b'])
  const { organizationId } = await startTestDevices()
  await expect(devices.listDiagnostics({ ...computerIds, organizationId })).rejects.toMatchObject({ code: 'not_found' })
  advance(14 * 24 * 60 * 60 - 1)
  await sweepEnded(world.contexts.devices)
  expect(await kept()).toHaveLength(3)
  advance(1)
  await sweepEnded(world.contexts.devices)
  expect(await kept()).toEqual([])
})
