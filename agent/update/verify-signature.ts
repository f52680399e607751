/** Verifies signatures as minisign makes them (https://jedisct1.github.io/minisign/). `packages/minisign.ts` signs. */
import { createHash, createPublicKey, verify } from 'node:crypto'

/** The algorithm of a signature of the BLAKE2b-512 of a file. Keys have `Ed`. */
const ALGORITHM = 'ED'
const KEY_ALGORITHM = 'Ed'
const KEY_BYTES = 2 + 8 + 32
const SIGNATURE_BYTES = 2 + 8 + 64

/**
 * @param signature the contents of the `.minisig` file.
 * @param publicKey as `minisign -P` accepts it.
 * @returns the trusted comment, which is signed as well.
 * @throws Error with the reason if the signature is not one of this key for this data.
 */
export function verifySignature(data: Buffer, signature: string, publicKey: string): string {
  const key = Buffer.from(publicKey, 'base64')
  if (key.length !== KEY_BYTES || key.toString('latin1', 0, 2) !== KEY_ALGORITHM)
    throw new Error('the public key of releases is malformed')
  const [, signed = '', commentLine = '', commentSigned = ''] = signature.split('\n')
  const [, comment] = /^trusted comment: (.*)$/.exec(commentLine) ?? []
  const bytes = Buffer.from(signed, 'base64')
  if (bytes.length !== SIGNATURE_BYTES || bytes.toString('latin1', 0, 2) !== ALGORITHM || comment === undefined)
    throw new Error('the signature is malformed')
  if (!bytes.subarray(2, 10).equals(key.subarray(2, 10))) throw new Error('the signature is of another key')
  const ed25519 = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(10).toString('base64url') },
    format: 'jwk',
  })
  const ofData = bytes.subarray(10)
  if (!verify(null, createHash('blake2b512').update(data).digest(), ed25519, ofData))
    throw new Error('the signature does not match')
  const ofComment = Buffer.from(commentSigned, 'base64')
  if (!verify(null, Buffer.concat([ofData, Buffer.from(comment)]), ed25519, ofComment))
    throw new Error('the signature of the comment does not match')
  return comment
}
