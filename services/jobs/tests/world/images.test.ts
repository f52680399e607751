/** Images as documents of jobs. What becomes of their pixels is in `tables/convert-image.test.ts`. */

import { once } from 'node:events'
import { Readable } from 'node:stream'
import { proves } from '@platen/test/harness/rules.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import sharp from 'sharp'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createStoredBytesQuota } from '../../limits/quotas.ts'
import { sweepDiscarded } from '../../timers/sweep-discarded.ts'
import { type FetchFacts, sendPdf, startTestFetches } from '../start-test-fetches.ts'
import { type CreationFacts, createOneJob, jobCreation, startTestJobs } from '../start-test-jobs.ts'

const LABEL = await sharp({ create: { width: 812, height: 1218, channels: 3, background: '#123' } })
  .png()
  .toBuffer()
const DAMAGED = LABEL.subarray(0, 200)
const PAGE = /^%PDF-1\.\d.*\/MediaBox \[0 0 288 432\]/s

const sheets = { papers: [{ width: 1016, height: 1524 }], dpis: [203] }

async function startImages(image = LABEL) {
  const fetches = await startTestFetches((_, response) => void response.end(image))
  const { world, create } = fetches
  return {
    ...fetches,
    /** A job with an uploaded image. @param image undefined for one that is lost. */
    async upload(uploaded: Buffer | undefined, facts: FetchFacts = {}) {
      const storageKey = uuidv7()
      if (uploaded) await world.files.write(storageKey, Readable.from([uploaded]))
      const sizeBytes = BigInt(uploaded?.length ?? 0)
      const document = { case: 'fetch' as const, value: { storageKey, sizeBytes, sheets } }
      const job = await create({ contentType: 'image_base64', document, ...facts })
      return { ...job, isUploadStored: () => exists(world.files.read(storageKey)) }
    },
  }
}

const exists = (reading: Promise<Readable>): Promise<boolean> =>
  reading.then(
    async (file) => {
      await once(file.destroy(), 'close')
      return true
    },
    () => false,
  )

test('an uploaded image becomes a PDF with the page of its label, which agents get as a PDF', async () => {
  proves('content.image_base64', 'image.dots')
  const { upload, fetched, getStored, agent } = await startImages()
  const job = await upload(LABEL)
  expect(job).toMatchObject({ state: 'queued', contentType: 'image_base64' })
  await fetched(job.id, { content_type: 'image_base64', storage_key: `${job.id}-1` })
  expect((await getStored(job.id))[0]).toMatch(PAGE)
  expect(await job.isUploadStored()).toBe(false)
  expect(await agent.claimContentTypes(1n)).toEqual(['pdf_base64'])
})

test('an uploaded image counts as stored from its creation, is no document before its conversion, and is deleted with a cancelled job', async () => {
  proves('stored.images')
  const jobs = await startTestJobs()
  const { files } = await getWorld()
  const organizationId = uuidv7()
  const storageKey = uuidv7()
  await files.write(storageKey, Readable.from([LABEL]))
  const value = { storageKey, sizeBytes: BigInt(LABEL.length), sheets }
  const image = {
    organizationId,
    discardsDocument: true,
    contentType: 'image_base64',
    document: { case: 'fetch' as const, value },
  }
  const create = (facts: CreationFacts) => createOneJob(jobs, jobCreation(jobs, { organizationId, ...facts }))
  const job = await create(image)
  expect(await jobs.row(job.id)).toMatchObject({ storage_key: storageKey, file_size_bytes: LABEL.length })
  expect(job.fileSize).toBeUndefined()
  const quota = createStoredBytesQuota(jobs, LABEL.length)
  quota.check(organizationId)
  await quota.sweep()
  expect(quota.check(organizationId)).toMatchObject({ code: 'quota_exceeded' })
  await expect(create({ document: { case: 'reprintOf', value: job.id } })).rejects.toMatchObject({
    code: 'file_expired',
  })
  await jobs.force(job.id, 'cancelled')
  await sweepDiscarded(jobs, files, new AbortController().signal)
  expect(await exists(files.read(storageKey))).toBe(false)
})

test('an image at a URL becomes a PDF', async () => {
  proves('content.image_uri')
  const { create, fetched, getStored } = await startImages()
  const value = { url: 'http://files.example.com/secret-path', sheets }
  const job = await create({ contentType: 'image_uri', document: { case: 'fetch', value } })
  await fetched(job.id, { content_type: 'image_uri' })
  expect((await getStored(job.id))[0]).toMatch(PAGE)
})

test('later jobs of the printer wait until an image is converted or refused', async () => {
  proves('image.order')
  const { upload, jobs, claim, failed } = await startImages()
  const printerId = uuidv7()
  const damaged = await upload(DAMAGED, { printerId })
  const image = await upload(LABEL, { printerId })
  const raw = await upload(LABEL, { printerId, contentType: 'raw_base64', document: inline() })
  await failed(damaged.id)
  const claimed: string[] = []
  await expect
    .poll(async () => claimed.push(...(await claim())) && claimed, { timeout: 30_000 })
    .toEqual([image.id, raw.id])
  expect(await jobs.row(damaged.id)).toMatchObject({ state_reasons: ['document-format-error'] })
})

const inline = () => ({
  case: 'stored' as const,
  value: { content: Buffer.from('^XA^XZ'), sizeBytes: 6n, sha256: 'x' },
})

test('an image that is damaged, or at a URL no image, ends the job in error, and nothing is stored', async () => {
  proves('image.damaged')
  const { upload, create, failed, getStored, jobs } = await startImages(DAMAGED)
  const uploaded = await upload(DAMAGED)
  const value = { url: 'http://files.example.com/secret-path', sheets }
  const byUrl = await create({ contentType: 'image_uri', document: { case: 'fetch', value } })
  for (const { id } of [uploaded, byUrl]) {
    expect(await failed(id)).toMatchObject({
      state_reasons: ['document-format-error'],
      state_message: expect.stringMatching(/^The image is damaged/),
    })
    await expect.poll(() => getStored(id)).toEqual([])
    await expect.poll(() => jobs.row(id)).toMatchObject({ storage_key: null, file_size_bytes: null })
  }
  await expect.poll(uploaded.isUploadStored).toBe(false)
})

test('a document at a URL that is no image ends the job in error', async () => {
  const { create, failed } = await startTestFetches(sendPdf)
  const value = { url: 'http://files.example.com/secret-path', sheets }
  const job = await create({ contentType: 'image_uri', document: { case: 'fetch', value } })
  expect(await failed(job.id)).toMatchObject({ state_message: expect.stringMatching(/^The file is not an image/) })
})

test('an uploaded image that is lost ends the job in error', async () => {
  const { upload, failed } = await startImages()
  expect(await failed((await upload(undefined)).id)).toMatchObject({ state_reasons: ['document-missing'] })
})
