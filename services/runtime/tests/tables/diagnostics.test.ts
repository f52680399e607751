/** What a process reports to `platen-server doctor`. */
import { toBinary } from '@bufbuild/protobuf'
import { DiagnoseResponseSchema } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { expect, test } from 'vitest'
import { createDiagnostics, diagnose } from '../../diagnostics.ts'
import { ApiError } from '../../errors.ts'

const KEY = Buffer.alloc(32, 1)
const SECRETS = ['a weak secret 1234', 'an older weak secret'].map((text) => Buffer.from(text)) as [Buffer, Buffer]

test('a part that fails is a failure with its cause, and the other parts are reported', async () => {
  const diagnostics = createDiagnostics('jobs')
  diagnostics.add('database', () =>
    Promise.reject(new ApiError('service_unavailable', 'Later.', { cause: new Error('refused') })),
  )
  diagnostics.add('document store', () =>
    Promise.reject(new Error('read failed', { cause: new AggregateError([new Error('a'), 'b']) })),
  )
  diagnostics.add('agents', () => ({ connectedAgents: 3 }))
  const failures = [
    { part: 'database', error: 'refused' },
    { part: 'document store', error: 'read failed: a, b' },
  ]
  expect(await diagnostics.read(KEY)).toMatchObject([{ service: 'jobs', connectedAgents: 3, failures }])
})

test('fingerprints are equal for equal secrets in one diagnosis, and neither contain a secret nor last', async () => {
  const read = async (key: Buffer) => {
    const diagnostics = createDiagnostics('jobs')
    diagnostics.addSecret('PLATEN_FETCH_KEY', SECRETS)
    const [report] = await diagnostics.read(key)
    return report?.secrets[0]?.fingerprints.map((fingerprint) => Buffer.from(fingerprint).toString('hex')) ?? []
  }
  const [first, second] = await read(KEY)
  expect(await read(KEY)).toEqual([first, second])
  expect([first, second]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.not.stringContaining(first ?? '')])
  const others = await read(Buffer.alloc(32, 2))
  expect(new Set([first, second, ...others]).size).toBe(4)
})

test('a process of several services reports these, with its own release, start and drain time', async () => {
  const diagnostics = createDiagnostics('platen')
  for (const service of ['jobs', 'devices']) diagnostics.addService(createDiagnostics(service))
  const answer = await diagnose({ diagnostics, drainMs: 8_000 }, { fingerprintKey: KEY })
  expect(answer).toMatchObject({
    release: expect.stringMatching(/^\d/),
    instance: expect.stringContaining(String(process.pid)),
    drainSeconds: 8,
    reports: [{ service: 'jobs' }, { service: 'devices' }],
  })
  expect(toBinary(DiagnoseResponseSchema, answer)).not.toHaveLength(0)
  expect(answer.receivedAt?.seconds).toBeGreaterThanOrEqual(answer.startedAt?.seconds ?? 0n)
})
