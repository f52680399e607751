/** Requests of strangers: bounded, and refused in the way of RFC 8011. */
import { Readable } from 'node:stream'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { uri } from '@platen/ipp/typed.ts'
import { proves } from '@platen/test/harness/rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decompress } from '../../ipp/documents/decompress.ts'
import type { Compression } from '../../ipp/documents/formats.ts'
import { IppRefusal } from '../../ipp/refusal.ts'
import { checkRequest, receiveRequest } from '../../ipp/request.ts'

const FIRST = {
  'attributes-charset': { syntax: 'charset', value: 'utf-8' },
  'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
} as const satisfies IppTypedAttributes

const TARGET = { 'printer-uri': uri('ipp://host/ipp/print/1') }

const encode = (attributes: IppTypedAttributes = { ...FIRST, ...TARGET }, changes: object = {}, more: object[] = []) =>
  encodeMessage({
    ...{ version: [2, 0], code: 0x0002, requestId: 1 },
    groups: [{ tag: GROUPS.operation, attributes }, ...(more as [])],
    ...changes,
  })

/** @returns a request as the HTTP server gives it to the steps. */
function toHttp(bytes: Buffer, size = bytes.length) {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  )
  const req = Object.assign(Readable.from(pieces), { headers: { 'content-length': String(bytes.length) } })
  return { req, res: {} } as unknown as Parameters<typeof receiveRequest>[0]
}

async function collect(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

async function read(bytes: Buffer, size?: number) {
  const received = await receiveRequest(toHttp(bytes, size))
  return received && checkRequest(received)
}

test('a request is read with its document, in pieces of any size', async () => {
  const document = Buffer.from('%PDF-1.7\n')
  for (const size of [1, 5, 1000]) {
    const request = await read(Buffer.concat([encode(), document]), size)
    expect(request?.operation).toBe('Print-Job')
    expect(await collect(request?.document ?? [])).toEqual(document)
  }
})

describe('a request is refused', () => {
  test.each<[what: string, bytes: Buffer, status: string]>([
    ['without its first attributes', encode({}), 'client-error-bad-request'],
    ['with a wrong first attribute', encode({ ...TARGET, ...FIRST }), 'client-error-bad-request'],
    ['without a printer', encode(FIRST), 'client-error-bad-request'],
    ['with the id 0', encode(undefined, { requestId: 0 }), 'client-error-bad-request'],
    ['of IPP 0.0', encode(undefined, { version: [0, 0] }), 'server-error-version-not-supported'],
    ['of IPP 3.0', encode(undefined, { version: [3, 0] }), 'server-error-version-not-supported'],
    [
      'of another charset',
      encode({ ...FIRST, 'attributes-charset': { syntax: 'charset', value: 'koi8-r' }, ...TARGET }),
      'client-error-charset-not-supported',
    ],
    ['without groups', encode(undefined, { groups: [] }), 'client-error-bad-request'],
    [
      'with a group of a printer',
      encode(undefined, {}, [{ tag: GROUPS.printer, attributes: {} }]),
      'client-error-bad-request',
    ],
    [
      'with two groups of a job',
      encode(undefined, {}, [
        { tag: GROUPS.job, attributes: {} },
        { tag: GROUPS.job, attributes: {} },
      ]),
      'client-error-bad-request',
    ],
    ['that is cut off', encode().subarray(0, -1), 'client-error-bad-request'],
    [
      'of a million groups',
      Buffer.concat([encode().subarray(0, -1), Buffer.alloc(1_000_000, GROUPS.job)]),
      'client-error-request-entity-too-large',
    ],
    [
      'of 65,000 bytes and more of attributes',
      Buffer.concat([
        encode().subarray(0, -1),
        ...Array.from({ length: 3 }, (_, n) => encodeOctets(`x${n}`, 32_000)),
        Buffer.of(3),
      ]),
      'client-error-request-entity-too-large',
    ],
  ])('%s', async (_, bytes, status) => {
    proves('ipp.request.form', 'ipp.request.limits')
    await expect(read(bytes)).rejects.toMatchObject({ status })
  })

  test('if it is no IPP at all', async () => {
    expect(await read(Buffer.from('{}'))).toBeUndefined()
    expect(await read(Buffer.alloc(0))).toBeUndefined()
  })
})

function encodeOctets(name: string, length: number): Buffer {
  const value = { syntax: 'octetString', value: 'x'.repeat(length) } as const
  const message = encodeMessage({
    version: [2, 0],
    code: 0,
    requestId: 1,
    groups: [{ tag: GROUPS.job, attributes: { [name]: value } }],
  })
  return message.subarray(9, -1)
}

test('10,000 mutated requests are refused or read, each at once', async () => {
  proves('ipp.request.mutated')
  const seeds = [
    encode(undefined, {}, [
      {
        tag: GROUPS.job,
        attributes: {
          copies: { syntax: 'integer', value: 2 },
          'media-col': {
            syntax: 'collection',
            value: {
              'media-size': { syntax: 'collection', value: { 'x-dimension': { syntax: 'integer', value: 21000 } } },
            },
          },
        },
      },
    ]),
    Buffer.concat([encode(), Buffer.from('%PDF-1.7')]),
  ]
  const mutation = fc.record({
    seed: fc.integer({ min: 0, max: seeds.length - 1 }),
    edits: fc.array(
      fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.integer({ min: 0, max: 255 }) }),
      { maxLength: 8 },
    ),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    repeat: fc.integer({ min: 1, max: 3 }),
  })
  const startedAt = performance.now()
  await fc.assert(
    fc.asyncProperty(mutation, async ({ seed, edits, cut, repeat }) => {
      const bytes = Buffer.concat(Array(repeat).fill(seeds[seed]))
      for (const { at, byte } of edits) bytes[Math.floor(at * (bytes.length - 1))] = byte
      try {
        await read(bytes.subarray(0, Math.ceil(bytes.length * (cut < 0.3 ? cut * 3 : 1))))
      } catch (error) {
        if (!(error instanceof IppRefusal)) throw error
      }
    }),
    { numRuns: 10_000 },
  )
  expect(performance.now() - startedAt).toBeLessThan(60_000)
})

describe('a compressed document', () => {
  const document = Buffer.from('%PDF-1.7 '.repeat(1000))
  const open = (bytes: Buffer, compression: Compression, size = 100) => {
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    return decompress(pieces(), compression)
  }
  const readAll = async (bytes: Buffer, compression: Compression) => await collect(open(bytes, compression))

  test('is read in gzip, in deflate, and in deflate with the header of zlib', async () => {
    proves('ipp.compression')
    expect(await readAll(gzipSync(document), 'gzip')).toEqual(document)
    expect(await readAll(deflateRawSync(document), 'deflate')).toEqual(document)
    expect(await readAll(deflateSync(document), 'deflate')).toEqual(document)
    expect(await readAll(document, 'none')).toEqual(document)
  })

  test('that is damaged, cut off or of another compression is refused', async () => {
    const refused = { status: 'client-error-compression-error' }
    await expect(readAll(document, 'gzip')).rejects.toMatchObject(refused)
    await expect(readAll(gzipSync(document).subarray(0, -20), 'gzip')).rejects.toMatchObject(refused)
    await expect(readAll(Buffer.alloc(100, 0xff), 'deflate')).rejects.toMatchObject(refused)
  })

  test('can have 200 times its size, and a bomb ends after a part of it', async () => {
    proves('ipp.compression.ratio')
    const bomb = gzipSync(Buffer.alloc(256 * 1024 ** 2))
    let bytes = 0
    const decompressed = open(bomb, 'gzip', 64 * 1024)
    const readOn = async () => {
      for await (const chunk of decompressed) bytes += chunk.length
    }
    await expect(readOn()).rejects.toMatchObject({ status: 'client-error-compression-error' })
    expect(bytes).toBeLessThan(64 * 1024 ** 2)
    expect(bomb.length).toBeGreaterThan(250_000)
  })
})
