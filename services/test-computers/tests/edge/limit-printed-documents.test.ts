import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { limitPrintedDocuments } from '../../limit-printed-documents.ts'

async function makeDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-documents-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const getJobs = (computer: string) => join(directory, computer, 'virtual/jobs')
  return {
    directory,
    /** A job with a document of 100 bytes, stored so many minutes ago. */
    store(computer: string, id: string, minutesAgo: number) {
      mkdirSync(getJobs(computer), { recursive: true })
      const document = join(getJobs(computer), `${id}.pdf`)
      writeFileSync(document, Buffer.alloc(100))
      writeFileSync(join(getJobs(computer), `${id}.json`), '{}')
      const time = new Date(Date.now() - minutesAgo * 60_000)
      utimesSync(document, time, time)
    },
    list: (computer: string) => readdirSync(getJobs(computer)).filter((name) => name.endsWith('.pdf')),
  }
}

test('when printed documents of all test computers take too much, those that have the most lose their oldest ones', async () => {
  proves('test-mode.disk.all')
  const { directory, store, list } = await makeDirectory()
  for (const [index, id] of ['new', 'old', 'older', 'oldest'].entries()) store('large', id, 2 + index)
  store('other', 'first', 30)
  store('other', 'second', 20)
  await limitPrintedDocuments(directory, 600)
  expect([list('large').length, list('other').length]).toEqual([4, 2])
  await limitPrintedDocuments(directory, 400)
  expect([list('large').toSorted(), list('other').length]).toEqual([['new.pdf', 'old.pdf'], 2])
  expect(readdirSync(join(directory, 'large/virtual/jobs'))).toContain('oldest.json')
})

test('documents that are not printed yet are kept', async () => {
  const { directory, store, list } = await makeDirectory()
  store('one', 'waiting', 0)
  store('one', 'printed', 2)
  await limitPrintedDocuments(directory, 0)
  expect(list('one')).toEqual(['waiting.pdf'])
})
