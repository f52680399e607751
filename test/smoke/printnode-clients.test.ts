/**
 * Real client libraries of PrintNode, unchanged, against the interface: see `docs/printnode.md#tests`. Skipped without the folder with the
 * libraries, because they are not part of this repository.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addGateway, newPrinting } from '@platen/gateway/tests/client.ts'
import { expect, test } from 'vitest'

const FOLDER = process.env.PLATEN_PRINTNODE_CLIENTS

async function newPrintNode() {
  const gateway = await addGateway({ printNode: { host: undefined } })
  return { ...(await newPrinting('live', gateway.url)), url: gateway.url }
}

test.skipIf(!FOLDER)(
  'the official Python library prints, reads jobs and states, and recognizes a wrong key',
  async () => {
    const { url, key, api } = await newPrintNode()
    const script = join(import.meta.dirname, 'printnode-clients.py')
    const env = { ...process.env, PYTHONPATH: join(FOLDER ?? '', 'python') }
    const { stdout } = await promisify(execFile)('python3', [script, url, key], { env })
    expect(JSON.parse(stdout)).toEqual({
      account: expect.any(String),
      computers: [expect.stringMatching(/connected/)],
      printer: [expect.any(String), 1],
      jobs: ['Python', 'Label', 'new'],
      found: 'Python',
      states: [['new']],
      wrong: 'unauthorized',
    })
    expect((await api.get('/v1/printjobs')).body.data.map(({ title }: { title: string }) => title)).toEqual([
      'Label',
      'Python',
    ])
  },
)

test.skipIf(!FOLDER)('npm `printnode-client` prints, and reads account, computers, printers and jobs', async () => {
  const { url, key } = await newPrintNode()
  const Client = createRequire(join(FOLDER ?? '', 'npm/package.json'))('printnode-client')
  const client = new Client({ api_key: key, default_printer_id: 1 })
  client.base_url = `${url.replace('://', `://${key}:@`)}/`
  expect(await client.whoami()).toMatchObject({ state: 'active' })
  expect(await client.fetchComputers()).toMatchObject([{ id: 1 }])
  expect(await client.fetchPrinters()).toMatchObject([{ id: 1, computer: { id: 1 } }])
  const id = await client.createPrintJob({
    title: 'npm',
    contentType: 'raw_base64',
    content: 'XlhBXlha',
    source: 'shop',
  })
  expect(Number(id)).toBe(1)
  expect(await client.fetchPrintJob(1)).toMatchObject([{ id: 1, title: 'npm', source: 'shop', state: 'new' }])
})
