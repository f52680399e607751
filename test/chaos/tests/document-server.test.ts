import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { type ServedDocument, startDocumentServer } from '../system/document-server.ts'

const CONTENT = Buffer.from('%PDF-'.padEnd(50_000, 'x'))

/** @returns its URL. Skips the test where nobody may listen on port 80. */
async function serve(context: TestContext, document: Omit<ServedDocument, 'content'>): Promise<string> {
  const server = await startDocumentServer()
  if (typeof server === 'string') return context.skip(server)
  onTestFinished(() => server.stop())
  return server.serve('/a%20path', { content: CONTENT, ...document })
}

for (const manner of ['at once', 'trickling'] as const)
  test(`a document that comes ${manner} is whole`, async (context) => {
    const response = await fetch(await serve(context, { manner }))
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(CONTENT)).toBe(true)
  })

test('a document that is broken off has begun and does not come to its end', async (context) => {
  const response = await fetch(await serve(context, { manner: 'broken off' }))
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow(TypeError)
})

test('a document that is missing, and whatever was never there, is a 404', async (context) => {
  const url = await serve(context, { manner: 'missing' })
  expect((await fetch(url)).status).toBe(404)
  expect((await fetch(new URL('/another', url))).status).toBe(404)
})

test('a document with a password is for who has it', async (context) => {
  const url = await serve(context, { manner: 'at once', password: 'secret' })
  const ask = async (password: string) => {
    const authorization = `Basic ${Buffer.from(`chaos:${password}`).toString('base64')}`
    return (await fetch(url, { headers: { authorization } })).status
  }
  expect((await fetch(url)).status).toBe(401)
  expect(await ask('guess')).toBe(401)
  expect(await ask('secret')).toBe(200)
})
