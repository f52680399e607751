/** A process that begins to write a document of more than a megabyte, says so, and then waits to be killed: `node killed-writer.ts URL KEY`. */
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { openFileStore } from '../file-store/open-file-store.ts'

const [, , url = '', key = ''] = process.argv

async function* begun() {
  for (let n = 0; n < 20; n++) yield Buffer.alloc(65_536)
  process.stdout.write('begun\n')
  await new Promise((resolve) => setTimeout(resolve, 600_000))
}

const store = await openFileStore(createTestProcess('writer'), url)
await store.write(key, begun())
