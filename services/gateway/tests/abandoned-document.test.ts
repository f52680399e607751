import { once } from 'node:events'
import { createServer } from 'node:net'
import { startTestJobs } from '@platen/jobs/tests/start-test-jobs.ts'
import { sweepDocuments } from '@platen/jobs/timers/sweep-documents.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { FILE_STORES, startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startGatewayProcess } from './start-gateway-process.ts'
import { printJob } from './start-test-gateway.ts'
import { startTestServices } from './start-test-services.ts'

test.each(FILE_STORES)(
  'of a gateway that is killed between the document and the job nothing stays in a store of the kind %s for longer than documents are kept',
  async (kind) => {
    const [store, services, jobs] = await Promise.all([startTestFileStore(kind), startTestServices(), startTestJobs()])
    const reader = createTestProcess('reader')
    onTestFinished(() => reader.stop())
    const files = await openFileStore(reader, store.url)
    const keys = async () => {
      const found: string[] = []
      for await (const key of files.listOld(new Date(Date.now() + 60_000))) found.push(key)
      return found
    }
    await services.start('accounts')
    // Devices, which is asked for the printer when the document is there, takes the question and says nothing.
    const devices = createServer().listen(Number(new URL(services.config.devicesUrl).port), '127.0.0.1')
    onTestFinished(() => void devices.close())
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
    const credentials = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
    const gateway = await startGatewayProcess(services.config, { PLATEN_FILE_STORE_URL: store.url, ...credentials })
    await gateway.isUp()
    const asked = once(devices, 'connection')
    const answered = createApi(gateway.baseUrl, services.makeKey())
      .post('/v1/printjobs', printJob())
      .catch(() => 'no answer')
    // At once: the gateway gives devices up after 5 s, and takes the document away.
    await asked
    await gateway.kill()
    expect(await answered).toBe('no answer')
    expect(await keys()).toEqual([expect.any(String)])

    const { clock, fileRetentionMs } = jobs
    clock.advanceSeconds((Date.now() - clock.now().getTime()) / 1000)
    await sweepDocuments(jobs, files, reader.stopping)
    expect(await keys()).toHaveLength(1)
    clock.advanceSeconds(fileRetentionMs / 1000)
    await sweepDocuments(jobs, files, reader.stopping)
    expect(await keys()).toEqual([])
  },
)
