import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { openDirectoryStore } from '@platen/runtime/file-store/directory-store.ts'
import { mockDisk } from '@platen/test/harness/disk.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { fetchDocument } from '../../fetches/fetch-document.ts'

test('nothing is requested while the disk of the document store has too little free space', async () => {
  proves('storage.reserve.fetches')
  mockDisk(() => ({ total: 100 * 1024 ** 3, free: 0 }))
  let requests = 0
  const network = createPublicNetwork({
    allowed: [],
    async resolve() {
      requests++
      return []
    },
  })
  const fetch = {
    source: { url: 'https://files.example.com/a.pdf' },
    format: 'pdf' as const,
    storageKey: '01a1fc9c-9dfb-775d-b6df-49dad904f618-1',
    deadlineMs: 1_000,
    signal: new AbortController().signal,
    onAddresses: () => undefined,
  }
  const files = openDirectoryStore(new URL('file:///platen/files'))
  await expect(fetchDocument({ network, files }, fetch)).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(requests).toBe(0)
})
