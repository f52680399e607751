/** A killed agent comes back: what it finds in its journal and at the spooler decides what it does. */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, expect, test } from 'vitest'
import { waitFor } from '../../test/harness/wait-for.ts'
import type { Phase } from '../journal/phases.ts'
import { makeCrashed, type SpoolerHas } from './crashed-agent.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'
import { startAgent } from './start-agent.ts'

const { PRINTING, DONE, ERROR } = ReportedState

const RULES: { title: string; phase: Phase; spooler: SpoolerHas; submits: number; reports: ReportedState[] }[] = [
  {
    title: 'granted: the job is handed over',
    phase: 'granted',
    spooler: 'nothing',
    submits: 1,
    reports: [PRINTING, DONE],
  },
  {
    title: 'handing, not at the spooler: submitted again, since it was to be held',
    phase: 'handing',
    spooler: 'nothing',
    submits: 1,
    reports: [PRINTING, DONE],
  },
  {
    title: 'handing, found held: released, not submitted again',
    phase: 'handing',
    spooler: 'held',
    submits: 1,
    reports: [PRINTING, DONE],
  },
  {
    title: 'handing, found otherwise: treated as released',
    phase: 'handing',
    spooler: 'released',
    submits: 1,
    reports: [PRINTING, DONE],
  },
  { title: 'held: released', phase: 'held', spooler: 'held', submits: 1, reports: [PRINTING, DONE] },
  {
    title: 'releasing, still held: released',
    phase: 'releasing',
    spooler: 'held',
    submits: 1,
    reports: [PRINTING, DONE],
  },
  {
    title: 'releasing, known otherwise: not released again',
    phase: 'releasing',
    spooler: 'released',
    submits: 1,
    reports: [PRINTING, DONE],
  },
  {
    title: 'releasing, missing: error unconfirmed, not printed again',
    phase: 'releasing',
    spooler: 'nothing',
    submits: 0,
    reports: [ERROR],
  },
  { title: 'released: watched', phase: 'released', spooler: 'released', submits: 1, reports: [PRINTING, DONE] },
  {
    title: 'released, missing: error unconfirmed, not printed again',
    phase: 'released',
    spooler: 'nothing',
    submits: 0,
    reports: [ERROR],
  },
]

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

for (const { title, phase, spooler, submits, reports } of RULES) {
  test(title, async () => {
    const jobId = randomUUID()
    const dataDir = await makeCrashed(jobId, phase, spooler)
    const agent = startAgent(service, { dataDir })
    await waitFor(() => expect(service.reportsOf(jobId).map(({ state }) => state)).toEqual(reports))
    expect(service.heard('hello')[0]?.heldJobIds).toEqual([jobId])
    expect(service.heard('received')).toEqual([])
    expect(agent.calls('submit')).toHaveLength(submits)
    expect(agent.calls('release')).toHaveLength(submits)
    if (reports.includes(ERROR)) expect(service.reportsOf(jobId)[0]?.reasons).toEqual(['unconfirmed'])
  })
}

test('staged: the server is asked again, with the last attempt', async () => {
  const jobId = randomUUID()
  const dataDir = await makeCrashed(jobId, 'staged', 'nothing')
  const agent = startAgent(service, { dataDir })
  await waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(DONE))
  expect(service.heard('received')).toMatchObject([{ jobId, attempt: 1 }])
  expect(agent.calls('release')).toHaveLength(1)
  expect(service.downloads).toBe(0)
})

test('a document that got lost before the submission ends in error', async () => {
  const jobId = randomUUID()
  const dataDir = await makeCrashed(jobId, 'granted', 'nothing')
  rmSync(join(dataDir, 'documents', jobId))
  const agent = startAgent(service, { dataDir })
  await waitFor(() => expect(service.reportsOf(jobId)).toMatchObject([{ state: ERROR, reasons: ['document-lost'] }]))
  expect(agent.calls('submit')).toEqual([])
})

test('what a crash left of a download is deleted, the document of a held job is not', async () => {
  const jobId = randomUUID()
  service.script = { received: () => undefined }
  const dataDir = await makeCrashed(jobId, 'staged', 'nothing')
  writeFileSync(join(dataDir, 'documents', `${randomUUID()}.part`), 'half')
  startAgent(service, { dataDir })
  await waitFor(() => expect(service.heard('received')).not.toEqual([]))
  expect(readdirSync(join(dataDir, 'documents'))).toEqual([jobId])
})

test('a report that was not confirmed is sent again with the same id', async () => {
  const jobId = randomUUID()
  service.script = { report: () => undefined }
  const first = startAgent(service, { dataDir: await makeCrashed(jobId, 'granted', 'nothing') })
  await waitFor(() => expect(service.reportsOf(jobId)).not.toEqual([]))
  await first.stop()
  const [report] = service.reportsOf(jobId)
  const saidBefore = service.said.length
  service.script = {}
  startAgent(service, { dataDir: first.dataDir })
  await waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(DONE))
  const again = service.said.slice(saidBefore).find(({ message }) => message.case === 'report')
  expect(again?.message.value).toEqual(report)
})
