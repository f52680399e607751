/** What every operation is tried against: the gateway, and services behind it that know some of everything. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { printJob, startTestGateway } from '@platen/gateway/tests/start-test-gateway.ts'
import { AT, COMPUTER_ID, makePrinter, PRINTER_ID } from '@platen/gateway/tests/start-test-services.ts'
import { makeEndpoint } from '@platen/gateway/tests/test-endpoints.ts'
import { ComputerSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { createCursors } from '@platen/runtime/paging.ts'
import { expect, onTestFinished } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import type { KnownPrinter } from './print-job-verdict.ts'
import { createRawClient } from './raw-client.ts'

/** What a run may leave behind in memory: connections, remembered keys, compiled code. */
const GROWTH_LIMIT_BYTES = 48 * 1024 * 1024

export type FuzzGround = Awaited<ReturnType<typeof startFuzzGround>>

export async function startFuzzGround() {
  const { services, api, port, key } = await startTestGateway()
  const client = createRawClient(port)
  onTestFinished(() => client.close())
  const keys = [
    { key, mode: 'test', scopes: ['read', 'print', 'admin'] },
    ...(['live', 'test'] as const).flatMap((mode) =>
      [['read'], ['print'], ['admin'], []].map((scopes) => ({ key: services.makeKey(mode, scopes), mode, scopes })),
    ),
  ]
  const disabled = Object.assign(makePrinter({ enabled: false }), { id: '01890a5d-0000-7000-8000-000000000004' })
  const live = Object.assign(makePrinter({ mode: 'live' }), { id: '01890a5d-0000-7000-8000-000000000005' })
  const foreign = Object.assign(makePrinter({ organizationId: COMPUTER_ID }), {
    id: '01890a5d-0000-7000-8000-000000000006',
  })
  services.printers.push(disabled, live, foreign)
  const computer = { id: COMPUTER_ID, mode: 'test', state: 'online', createdAt: timestampFromDate(AT) }
  services.computers.push(create(ComputerSchema, computer))
  const printers: KnownPrinter[] = [services.printers[0], disabled, live].filter((one) => one !== undefined)
  const liveEndpoint = makeEndpoint({ id: '01890a5d-0000-7000-8000-000000000020', mode: 'live' })
  services.endpoints.push(liveEndpoint)
  const jobId: string = (await api.createJob(printJob())).id
  const memoryBefore = usedBytes()

  return {
    services,
    port,
    client,
    /** Those of the gateway. */
    cursors: createCursors(services.config.rpcSecret),
    keys,
    printers,
    printerIds: [PRINTER_ID, disabled.id, live.id, foreign.id],
    computerIds: [COMPUTER_ID],
    jobIds: [jobId],
    endpoints: services.endpoints,
    /** The gateway serves on, holds what it accepted and nothing else, and has let go of the rest. */
    async expectSound() {
      expect((await api.get('/healthz')).status).toBe(200)
      // A PATCH may have switched it off.
      const [printer] = services.printers
      if (printer) printer.enabled = true
      await api.createJob(printJob())
      const expected = services.createdJobs.flatMap(({ storageKey }) => storageKey || []).toSorted()
      // A document that is refused late is deleted behind the answer.
      await waitFor(async () => {
        const files = await services.storedFiles()
        expect(files.map((file) => file.slice(file.lastIndexOf('/') + 1)).toSorted()).toEqual(expected)
      })
      // What a connection that just ended had to send is let go of a moment later.
      await waitFor(() => expect(usedBytes() - memoryBefore).toBeLessThan(GROWTH_LIMIT_BYTES))
    },
  }
}

/** After everything that can be collected is. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
