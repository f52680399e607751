/**
 * Begins to write a document of more than a megabyte, reports it, and waits to be killed:
 * `node killed-writer.ts URL KEY`.
 */
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { openFileStore } from '../../file-store/open-file-store.ts'

const [, , url = '', key = ''] = process.argv

async function* begin() {
  for (let n = 0; n < 20; n++) yield Buffer.alloc(65_536)
  process.stdout.write('begun\n')
  // The standard input is a pipe that stays open.
  for await (const _ of process.stdin);
}

const store = await openFileStore(createTestProcess('writer'), url)
await store.write(key, begin())
