/** An IPP printer that is found, added, printed on and removed by commands. */
import { randomUUID } from 'node:crypto'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Command, FoundPrinters } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { describe, expect, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { allowPort, announcePrinters } from '../dns-sd.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent } from '../start-agent.ts'
import { hasCups, PRINT_TIMEOUT_MS, useDevice } from './on-cups.ts'

describe.skipIf(!hasCups)('an IPP printer', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')
  const service = useService()

  async function run(command: { case: Command['command']['case']; value: object }) {
    const commandId = randomUUID()
    service.send({ case: 'command', value: { commandId, command: command as never } })
    return await waitFor(
      () =>
        service.getMessages('commandResult').find((one) => one.commandId === commandId)?.result ??
        expect.fail('no result'),
      PRINT_TIMEOUT_MS,
    )
  }

  test('is found, added, prints a PDF byte for byte, and is removed', async () => {
    // The announcement of ippeveprinter itself needs avahi.
    const { port, pathname } = new URL(laser.device.uri)
    const suffix = announcePrinters([
      {
        name: 'Laser',
        service: '_ipp._tcp',
        port: Number(port),
        txt: [`rp=${pathname.slice(1)}`, 'pdl=application/pdf'],
      },
    ])
    await connectAgent(service, { allowedNetworks: allowPort(laser.device.uri) })
    const { printers } = (await run({ case: 'findPrinters', value: {} })).value as FoundPrinters
    const { uri } = printers.find(({ name }) => name.endsWith(suffix)) ?? expect.fail('not found')
    expect(await run({ case: 'addPrinter', value: { name: 'Laser', uri } })).toMatchObject({
      value: { osName: 'Laser', uri },
    })
    await waitFor(() =>
      expect(
        service
          .getMessages('printers')
          .at(-1)
          ?.printers.find(({ osName }) => osName === 'Laser'),
      ).toMatchObject({
        state: 'online',
        capabilities: { duplex: true, dpis: ['300x300', '600x600'] },
      }),
    )
    const before = laser.device.printed().length
    const document = buildPdf({ pages: 3 })
    const { jobId } = service.print({ printerOsName: 'Laser' }, document)
    await waitFor(
      () => expect(service.getReports(jobId).at(-1)).toMatchObject({ state: ReportedState.DONE }),
      PRINT_TIMEOUT_MS,
    )
    expect(laser.device.printed().slice(before)).toMatchObject([{ bytes: document }])
    expect(await run({ case: 'removePrinter', value: { osName: 'Laser' } })).toMatchObject({ case: 'removePrinter' })
    const reported = () =>
      service
        .getMessages('printers')
        .at(-1)
        ?.printers.map(({ osName }) => osName)
    await waitFor(() => expect(reported()).not.toContain('Laser'))
  })

  test('that does not support PDF is not added', async () => {
    await connectAgent(service, { allowedNetworks: allowPort(label.device.uri) })
    expect(await run({ case: 'addPrinter', value: { name: 'Label', uri: label.device.uri } })).toMatchObject({
      case: 'failure',
      value: { message: expect.stringContaining('does not support PDF') },
    })
  })
})
