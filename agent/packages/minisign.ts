/**
 * Signs as minisign does (https://jedisct1.github.io/minisign/), so that its program and libraries verify the result.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The algorithm of a signature of the BLAKE2b-512 of a file. Keys have `Ed`. */
const ALGORITHM = 'ED'
const KEY_ALGORITHM = 'Ed'

export interface ReleaseKey {
  private: KeyObject
  /** The public key as `minisign -P` accepts it. */
  public: string
}

/**
 * @param path an Ed25519 key in PEM (PKCS #8), as `openssl genpkey -algorithm ed25519` makes it.
 * @throws Error for another file.
 */
export async function readReleaseKey(path: string): Promise<ReleaseKey> {
  let key: KeyObject
  try {
    key = createPrivateKey(await readFile(path))
  } catch (cause) {
    throw new Error(`PLATEN_RELEASE_KEY_FILE: ${path} is not a private key. ${MAKE_KEY}`, { cause })
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`PLATEN_RELEASE_KEY_FILE: ${path} is a key of the type ${key.asymmetricKeyType}. ${MAKE_KEY}`)
  const raw = getRawPublicKey(key)
  return { private: key, public: Buffer.concat([Buffer.from(KEY_ALGORITHM), toKeyId(raw), raw]).toString('base64') }
}

const MAKE_KEY = 'Make one with `openssl genpkey -algorithm ed25519 -out FILE`.'

/** @returns the contents of the `.minisig` file. @param comment is signed as well; one line. */
export function signMinisign(data: Buffer, comment: string, key: ReleaseKey): string {
  const id = toKeyId(getRawPublicKey(key.private))
  const signature = sign(null, createHash('blake2b512').update(data).digest(), key.private)
  const commentSignature = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key.private)
  return [
    'untrusted comment: signature of a release of Platen',
    Buffer.concat([Buffer.from(ALGORITHM), id, signature]).toString('base64'),
    `trusted comment: ${comment}`,
    commentSignature.toString('base64'),
    '',
  ].join('\n')
}

function getRawPublicKey(key: KeyObject): Buffer {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url')
}

/** minisign draws the id of a key at random. This one follows from the key, so that it needs no file of its own. */
const toKeyId = (raw: Buffer) => createHash('sha256').update(raw).digest().subarray(0, 8)
