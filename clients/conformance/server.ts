/**
 * The scripted server of the conformance tests: see README.md. Started as a program, prints its address and ends with
 * its standard input.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

interface Answer {
  path?: string
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  close?: true | 'body'
  delayMs?: number
}

export interface Case {
  rule: string
  client?: { maxRetries?: number; timeoutMs?: number }
  call: { method: string } & Record<string, unknown>
  answers: Answer[]
  expect: {
    result?: unknown
    error?: { class: string; message?: string } & Record<string, unknown>
    requests?: { method: string; path: string }[]
    attempts?: number
    sameKey?: true | string
    parts?: Record<string, string>
    waitedMs?: number
  }
}

export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  /** The parts of a form, by name. */
  parts?: Record<string, string>
  atMs: number
}

export interface SignedWebhook {
  rule: string
  secret: string
  signedWith: string[]
  body: string
  receivedBody?: string
  ageSeconds: number
  withoutHeader?: string
  expect: string
}

interface Run {
  requests: RecordedRequest[]
  left: Answer[]
}

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
export const CASES: Case[] = read('cases.json')
export const WEBHOOKS: SignedWebhook[] = read('webhooks.json')

export async function startServer(): Promise<{ url: string; server: Server }> {
  const runs = new Map<string, Run>()
  const server = createServer((request, response) => {
    serve(runs, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

async function serve(runs: Map<string, Run>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, run = '', position = '', path = ''] = /^\/([^/]+)\/([^/]+)(\/.*)?$/.exec(request.url ?? '') ?? []
  if (run === 'webhooks') return void response.end(JSON.stringify(sign(WEBHOOKS[Number(position)])))
  const id = `${run}/${position}`
  const state = runs.get(id) ?? { requests: [], left: [...(CASES[Number(position)]?.answers ?? [])] }
  runs.set(id, state)
  if (path === '/requests') return void response.end(JSON.stringify(state.requests))
  const body = await buffer(request)
  const headers = request.headers as Record<string, string>
  const contentType = headers['content-type'] ?? ''
  state.requests.push({
    method: request.method ?? '',
    path,
    headers,
    body: body.toString(),
    ...(contentType.startsWith('multipart/') && { parts: await readParts(body, contentType) }),
    atMs: performance.now(),
  })
  const at = state.left.findIndex((answer) => answer.path === undefined || path.startsWith(answer.path))
  const [answer] = at < 0 ? [] : state.left.splice(at, 1)
  await send(answer ?? { status: 404, text: 'The case has no answer for this request.' }, response)
}

async function send(answer: Answer, response: ServerResponse): Promise<void> {
  const { status, headers = {}, json, text = JSON.stringify(json) ?? '', close, delayMs = 0 } = answer
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false })
  if (close === true) return void response.destroy()
  if (status === undefined) return
  const lengthBytes = Buffer.byteLength(text)
  response.writeHead(status, {
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(status !== 204 && { 'content-length': String(close === 'body' ? lengthBytes + 10 : lengthBytes) }),
    ...headers,
  })
  if (close === 'body') response.write(text, () => response.destroy())
  else response.end(status === 204 ? undefined : text)
}

async function readParts(body: Buffer<ArrayBuffer>, contentType: string): Promise<Record<string, string>> {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
  const parts = [...form].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()])
  return Object.fromEntries(await Promise.all(parts))
}

function sign(webhook: SignedWebhook | undefined) {
  if (!webhook) throw new Error('webhooks.json has no such entry')
  const { secret, signedWith, body, receivedBody = body, ageSeconds, withoutHeader } = webhook
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds)
  const id = 'msg-1'
  const signatures = signedWith.map((key) => {
    const bytes = Buffer.from(key.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', bytes).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
  if (withoutHeader) delete headers[withoutHeader]
  return { body: receivedBody, headers, secret }
}

if (import.meta.main) {
  const { url } = await startServer()
  console.log(JSON.stringify({ url }))
  process.stdin.resume().once('end', () => process.exit())
}
