import { sweepDocuments } from '@platen/jobs/timers/sweep-documents.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { FILE_STORES, startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { INLINE_BYTES, newPrinting, pdfContent } from '../client.ts'
import { startGatewayProcess, startSilentServer } from './start-gateway.ts'

test.each(FILE_STORES)(
  'of a gateway that is killed between the document and the job nothing stays in a store of the kind %s for longer than documents are kept',
  async (kind) => {
    const [store, { key, job, world }] = await Promise.all([startTestFileStore(kind), newPrinting()])
    const reader = createTestProcess('reader')
    onTestFinished(() => reader.stop())
    const files = await openFileStore(reader, store.url)
    const keys = async () => {
      const found: string[] = []
      for await (const key of files.listOld(new Date(Date.now() + 60_000))) found.push(key)
      return found
    }
    // After the document the gateway looks up the printer at devices.
    const devices = await startSilentServer()
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
    const gateway = await startGatewayProcess({
      ...{ PLATEN_DEVICES_URL: devices.url, PLATEN_FILE_STORE_URL: store.url },
      ...{ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
    })
    await gateway.isUp()
    const answered = createApi(gateway.url, key)
      .post('/v1/printjobs', job({ content: pdfContent(INLINE_BYTES + 1) }))
      .catch(() => 'no answer')
    // At once: the gateway gives devices up after 5 s, and takes the document away.
    await devices.connected
    await gateway.kill()
    expect(await answered).toBe('no answer')
    expect(await keys()).toHaveLength(1)

    // Sweeps of a database and at times that no other test sees.
    const pool = new Pool({ connectionString: await createDatabase(), max: 1 })
    onTestFinished(() => pool.end())
    const jobs = { ...world.contexts.jobs, pool, clock: createTestClock(new Date()) }
    await sweepDocuments(jobs, files, reader.stopping)
    expect(await keys()).toHaveLength(1)
    jobs.clock.advance(jobs.fileRetentionMs + 1)
    await sweepDocuments(jobs, files, reader.stopping)
    expect(await keys()).toEqual([])
  },
)
