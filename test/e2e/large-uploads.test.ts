import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { peakRssBytes } from '../harness/peak-rss.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'

let platen: Platen

beforeAll(async () => {
  // 516 test jobs are more than a day's 500.
  platen = await startPlaten({ env: { PLATEN_TEST_JOBS_PER_DAY: '1000' } })
})

afterAll(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
})

const MB = 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  '32 uploads of 25 MB at once leave the gateway under 300 MB, also when it has served 500 small ones before',
  async () => {
    const { id: printerId } = await platen.api.printer('Test A4 Laser')
    const job = { printerId, title: 'Upload', contentType: 'pdf_base64' }
    const small = JSON.stringify({ ...job, content: makePdf('Small').toString('base64') })
    for (let n = 0; n < 50; n++)
      await Promise.all(Array.from({ length: 10 }, () => platen.api.post('/v1/printjobs', small)))

    const large = JSON.stringify({ ...job, content: makePdf('Large', 25 * MB).toString('base64') })
    const answers = await Promise.all(Array.from({ length: 32 }, () => platen.api.post('/v1/printjobs', large)))
    expect(answers.map(({ status, body }) => [status, body.fileSize])).toEqual(answers.map(() => [201, 25 * MB]))
    const peak = await peakRssBytes(await platen.pidOf('gateway'))
    console.log(`gateway: peak RSS ${Math.round(peak / MB)} MB`)
    expect(peak).toBeLessThan(300 * MB)
  },
)
