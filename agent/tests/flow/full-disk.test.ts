/** An agent whose disk becomes full and has space again. It is never restarted. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { describe, expect, test } from 'vitest'
import { canMount, mountSmallDisk } from '../../../test/harness/small-disk.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openDocuments } from '../../documents.ts'
import { openJournal } from '../../journal/journal.ts'
import { openJobStore } from '../../spoolers/network/job-store.ts'
import type { Spooler, Submission } from '../../spoolers/spooler.ts'
import { openCallLog, readCalls } from '../../spoolers/virtual/call-log.ts'
import { openJobFiles } from '../../spoolers/virtual/job-files.ts'
import { type ScriptedService, useService } from '../scripted-service.ts'
import { connectAgent, createQuickSpooler, makeDataDir, readSpoolerCalls } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

const { DONE } = ReportedState
const QUICK_RESEND = { resendMs: 50 }
const PRINTERS = ['Test A4 Laser', 'Test Letter Color']

const FACTS = {
  ...{ id: 'old', attempt: 1, printerOsName: 'p', title: 't', contentType: 'pdf_base64', qty: 1, options: {} },
  ...{ fileSizeBytes: 1, fileSha256: '', receivedAt: new Date(0), expiresAtMs: 1, expiresAtUptimeMs: 1, bootId: '' },
}

const service = useService()

const waitForDone = (jobId: string) =>
  waitFor(() => expect(service.getReports(jobId).at(-1)?.state, jobId).toBe(DONE), 60_000)

type Fill = () => void

/** Calls `fill` at a moment of the first job, once. */
const MOMENTS: Record<string, (fill: Fill, spooler: Spooler, script: ScriptedService['script']) => Partial<Spooler>> = {
  'before the job arrives': (fill, _, script) => {
    script.hello = () => {
      fill()
      return { case: 'welcome', value: { computerId: 'computer', heartbeatSeconds: 20 } }
    }
    return {}
  },
  'before the job is granted': (fill, _, script) => {
    script.received = ({ jobId, attempt }) => {
      fill()
      return { case: 'granted', value: { jobId, attempt } }
    }
    return {}
  },
  'after the job is submitted': (fill, spooler) => ({
    async submitHeld(submission) {
      const submitted = await spooler.submitHeld(submission)
      fill()
      return submitted
    },
  }),
  'after the job is released': (fill, spooler) => ({
    async release(id) {
      await spooler.release(id)
      fill()
    },
  }),
  'when the job is printed and the spooler forgets it': (fill, spooler) => {
    const forgotten = new Set<string>()
    return {
      async *watch(id, signal) {
        if (forgotten.has(id)) return
        for await (const state of spooler.watch(id, signal)) {
          if (state.is === 'completed') {
            fill()
            forgotten.add(id)
          }
          yield state
        }
      },
    }
  },
  'before the end is confirmed': (fill, _, script) => {
    script.report = ({ reportId, state }) => {
      if (state === DONE) fill()
      return { case: 'reportConfirmed', value: { reportId, state: 'done' } }
    }
    return {}
  },
}

describe.skipIf(!canMount)('the disk of the computer is full', () => {
  test.each(Object.entries(MOMENTS))('%s: it prints once when the disk has space', async (_, at) => {
    const disk = mountSmallDisk()
    const spoolerDir = makeDataDir()
    const spooler = createQuickSpooler(spoolerDir)
    let isFirst = true
    const fill = () => {
      if (isFirst) disk.fill()
      isFirst = false
    }
    const script = {}
    service.script = script
    const agent = await connectAgent(service, {
      dataDir: disk.dir,
      spooler: { ...spooler, ...at(fill, spooler, script) },
      timings: QUICK_RESEND,
    })
    const jobIds = [service.print().jobId, service.print().jobId]
    await waitFor(() => expect(agent.readLog()).toMatch(/full.*(journaling it failed|retrying)/))
    disk.free()
    await Promise.all(jobIds.map(waitForDone))
    expect(readSpoolerCalls(spoolerDir, 'release').map(({ token }) => token)).toEqual(jobIds)
    await waitFor(() => expect(agent.readLog().match(/job finished/g)).toHaveLength(2))
  })

  test('while jobs arrive: all printers say so, and each job prints once and in order when it has space', async () => {
    const disk = mountSmallDisk()
    const agent = await connectAgent(service, { dataDir: disk.dir, timings: QUICK_RESEND })
    const getReported = () =>
      service
        .getMessages('printers')
        .at(-1)
        ?.printers.map(({ stateReasons }) => stateReasons)
    const jobIds: string[] = []
    const print = (count: number) => {
      for (let n = 0; n < count; n++) jobIds.push(service.print({ printerOsName: PRINTERS[jobIds.length % 2] }).jobId)
    }
    print(10)
    disk.fill()
    print(10)
    await waitFor(() => expect(getReported()).toEqual(Array(4).fill(['computer-disk-full'])))
    print(10)
    await waitFor(() => expect(agent.readLog()).toMatch(/journaling the job failed, retrying/))
    disk.free()
    await Promise.all(jobIds.map(waitForDone))
    const released = agent.calls('release')
    for (const [n, name] of PRINTERS.entries())
      expect(released.filter(({ printer }) => printer === name).map(({ token }) => token)).toEqual(
        jobIds.filter((_, index) => index % 2 === n),
      )
    await waitFor(() => expect(getReported()).toEqual(Array(4).fill([])))
  })
  test('a job is sent again: it is acknowledged when the disk has space', async () => {
    const disk = mountSmallDisk()
    service.script = { received: () => undefined }
    const agent = await connectAgent(service, { dataDir: disk.dir })
    const getAttempts = () => service.getMessages('received').map(({ attempt }) => attempt)
    const job = service.print()
    await waitFor(() => expect(getAttempts()).toEqual([1]))
    disk.fill()
    service.print({ ...job, attempt: 2 })
    await waitFor(() => expect(agent.readLog()).toMatch(/a task of the job failed, retrying/))
    disk.free()
    await waitFor(() => expect(getAttempts()).toEqual([1, 2]))
  })

  test('an agent that starts has old jobs to delete: it connects, and prints when the disk has space', async () => {
    const disk = mountSmallDisk()
    const journal = openJournal(join(disk.dir, 'journal.sqlite'), () => 0)
    journal.stage(FACTS, 1)
    journal.move(FACTS.id, 'staged', 'refused')
    journal.close()
    openDocuments(join(disk.dir, 'documents'))
    disk.fill()
    const agent = await connectAgent(service, { dataDir: disk.dir, spooler: createQuickSpooler(makeDataDir()) })
    const { jobId } = service.print()
    await waitFor(() => expect(agent.readLog()).toMatch(/journaling the job failed, retrying/))
    disk.free()
    await waitForDone(jobId)
  })

  test.each<[string, (dir: string) => { add(job: Submission): Promise<unknown> }]>([
    ['network', openJobStore],
    ['virtual', openJobFiles],
  ])('a %s printer keeps no document of a job that it could not store', async (_, open) => {
    const disk = mountSmallDisk()
    const store = open(disk.dir)
    disk.fill()
    await expect(store.add(makeSubmission(Buffer.alloc(100_000), 'p'))).rejects.toThrow()
    const files = readdirSync(disk.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name).filter((name) => !/^(filler|jobs\.sqlite.*)$/.test(name))).toEqual([])
  })

  test('the virtual printers record a call completely or not at all', () => {
    const disk = mountSmallDisk()
    const path = join(disk.dir, 'handovers.jsonl')
    const log = openCallLog(path)
    const call = {
      call: 'release',
      token: 't',
      spoolerJobId: 's',
      printer: 'p',
      sha256: '',
      sizeBytes: 1,
      at: '',
    } as const
    log.append(call)
    disk.fill()
    let recorded = 1
    expect(() => {
      for (;;) {
        log.append(call)
        recorded++
      }
    }).toThrow('ENOSPC')
    expect(readCalls(path)).toHaveLength(recorded)
  })
})
