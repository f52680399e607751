/** Commands of users to the agent. */
import { randomUUID } from 'node:crypto'
import type { Command, CommandResult } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { announcePrinters, LOOPBACK } from '../dns-sd.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent } from '../start-agent.ts'

const service = useService()

/** @returns the answer of the agent. */
async function run(command: Command['command'] | { case: undefined }): Promise<CommandResult['result']> {
  const commandId = randomUUID()
  service.send({ case: 'command', value: { commandId, command: command as never } })
  return await waitFor(() => {
    const found = service.getMessages('commandResult').find((one) => one.commandId === commandId)
    return found?.result ?? expect.fail('no result')
  })
}

const find = async () => await run({ case: 'findPrinters', value: {} as never })

test('printers that announce themselves are found, one by name, with the best of their addresses', async () => {
  announcePrinters([
    {
      name: 'Office 4.5 [1A]',
      service: '_ipp._tcp',
      port: 631,
      txt: ['rp=ipp/print', 'pdl=image/urf,application/pdf'],
    },
    {
      name: 'Office 4.5 [1A]',
      service: '_ipps._tcp',
      port: 443,
      txt: ['RP=ipp/print', 'ty=Laser', 'pdl=application/pdf'],
    },
    { name: 'Zebra', service: '_pdl-datastream._tcp', port: 9100, txt: ['ty=ZD420'] },
    { name: 'Zebra', service: '_ipp._tcp', port: 8631, txt: ['pdl=application/vnd.zebra-zpl'] },
    { name: 'No printer', service: '_ipp._tcp', port: 0 },
    { name: 'Elsewhere', service: '_ipp._tcp', port: 631, address: '203.0.113.1' },
  ])
  await connectAgent(service, { allowedNetworks: LOOPBACK })
  const [hello] = service.getMessages('hello')
  expect(hello?.commands).toContain('findPrinters')
  const { value } = await find()
  expect(value).toMatchObject({
    printers: [
      { name: 'Office 4.5 [1A]', uri: 'ipps://127.0.0.1:443/ipp/print', model: 'Laser', supportsPdf: true },
      { name: 'Zebra', uri: 'socket://127.0.0.1:9100', model: 'ZD420' },
    ],
  })
})

test('the owner can forbid to find printers, and a command that the agent does not know is refused', async () => {
  await connectAgent(service, { allowedNetworks: false })
  expect(await find()).toMatchObject({ case: 'failure', value: { message: expect.stringContaining('forbidden') } })
  const unknown = await run({ case: undefined })
  expect(unknown).toMatchObject({ case: 'failure', value: { message: expect.stringContaining('does not know') } })
})

test('an agent inside of a service accepts no commands', async () => {
  await connectAgent(service)
  expect(service.getMessages('hello')[0]?.commands).toEqual([])
  expect(await find()).toMatchObject({ case: 'failure' })
})
