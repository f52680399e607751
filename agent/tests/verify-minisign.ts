/** `minisign -Vqm FILE -P KEY`, for tests on a machine without the program. */
import { readFileSync } from 'node:fs'
import { verifySignature } from '../update/verify-signature.ts'

const [, file = '', , key = ''] = process.argv.slice(2)
verifySignature(readFileSync(file), readFileSync(`${file}.minisig`, 'utf8'), key)
