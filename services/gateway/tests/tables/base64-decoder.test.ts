import { random } from '@platen/test/harness/random.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { createBase64Decoder } from '../../print-jobs/upload/base64-decoder.ts'
import { cutAnywhere, everyCut } from './cuts.ts'

function decode(pieces: Buffer[]): Buffer {
  const decoder = createBase64Decoder()
  const decoded = Buffer.concat(pieces.map((piece) => decoder.push(piece)))
  decoder.end()
  return decoded
}

const decodeText = (text: string) => decode([Buffer.from(text, 'latin1')])
const invalidContent = expect.objectContaining({ code: 'invalid_content' })

test.each([0, 1, 2, 3, 4, 5, 255, 256, 257])(
  '%i bytes come out as they went in, wherever their text is cut',
  (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, n) => (n * 7) % 256))
    for (const pieces of everyCut(Buffer.from(bytes.toString('base64')))) expect(decode(pieces)).toEqual(bytes)
  },
)

test('any bytes come out as they went in, however their text is cut', () => {
  const next = random(2)
  for (let round = 0; round < 200; round++) {
    const bytes = Buffer.from(Array.from({ length: next(1000) }, () => next(256)))
    expect(decode(cutAnywhere(Buffer.from(bytes.toString('base64')), next))).toEqual(bytes)
  }
})

test.each([
  ['a group that is cut off', 'QUJ', 'QU', 'QUJDQ', 'QQ='],
  ['a character outside of the alphabet', 'QU*D', 'QU\xffD', 'QU\0D'],
  ['white space', 'QUJD QUJD', 'QUJD\t'],
  ['URL-safe base64', 'QU-D', 'QU_D'],
  ['wrong padding', '====', 'Q===', 'QQ==QUJD', 'Q=JD', 'QUJD='],
  ['bits behind the end', 'QR==', 'QUF='],
])('%s is refused, wherever the text is cut', (_, ...texts) => {
  proves('content.base64.padding', 'content.base64.alphabet', 'content.base64.white-space', 'content.base64.url-safe')
  for (const pieces of texts.flatMap((text) => everyCut(Buffer.from(text, 'latin1'))))
    expect(() => decode(pieces)).toThrow(invalidContent)
})

test.each([
  ['QUJDQUI', /: it ends early\. Its padding \(`=`\) is missing, or it is cut off\.$/],
  ['QUJDQ', /: it ends early\./],
  ['QUJD-_-_', /: it has the URL-safe alphabet/],
  ['QUJD QUJD', /: it has white space\. Only line breaks are allowed\.$/],
  ['QU*DQUJD', /: it has a character outside of its alphabet\.$/],
  ['data:application/pdf;base64,JVBERi0=', /: it begins with `data:`\. Send what follows its comma\.$/],
  ['QQ==QUJD', /: its padding is wrong/],
  ['QUJD====', /: its padding is wrong/],
  ['QUJDQR==', /: its last characters have bits after the last byte/],
])('the cause of %j is named, wherever the text is cut', (text, message) => {
  proves('content.base64.cause')
  for (const pieces of everyCut(Buffer.from(text)))
    expect(() => decode(pieces)).toThrow(expect.objectContaining({ message: expect.stringMatching(message) }))
})

test('no two texts decode to the same bytes: of all texts of 1 to 3 characters and padding exactly the encodings pass', () => {
  const alphabet = 'ABQRgwx09+/-_= '
  for (const a of alphabet)
    for (const b of alphabet)
      for (const c of alphabet)
        for (const text of [`${a}${b}${c}=`, `${a}${b}==`, `${a}${b}${c}A`]) {
          const bytes = Buffer.from(text, 'base64')
          if (bytes.length > 0 && bytes.toString('base64') === text) expect(decodeText(text)).toEqual(bytes)
          else expect(() => decodeText(text), text).toThrow(invalidContent)
        }
})
