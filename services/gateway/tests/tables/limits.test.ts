import { expect, test } from 'vitest'
import { PRINTER_CHANGES } from '../../request/printer-changes.ts'
import { PRINT_JOB } from '../../upload/print-job-request.ts'

const PRINTER_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const JOB = { printerId: PRINTER_ID, title: 'Invoice', contentType: 'pdf_uri', content: 'https://example.com/a.pdf' }

const CREDENTIALS = 'create.authentication'
for (const field of ['user', 'pass'])
  test(`\`${field}\` has at most 1024 characters [${CREDENTIALS}.${field}.1024 ${CREDENTIALS}.${field}.1025]`, () => {
    const accepts = (length: number) => {
      const credentials = { user: 'u', pass: 'p', [field]: 'x'.repeat(length) }
      return PRINT_JOB.safeParse({ ...JOB, authentication: { type: 'BasicAuth', credentials } }).success
    }
    expect([1024, 1025].map(accepts)).toEqual([true, false])
  })

for (const side of ['width', 'height'])
  test(`a \`${side}\` fits into 32 bits [custom-paper.${side}.2147483647 custom-paper.${side}.2147483648]`, () => {
    const accepts = (size: number) =>
      PRINTER_CHANGES.safeParse({ customPapers: [{ name: 'Roll', width: 1, height: 1, [side]: size }] }).success
    expect([2_147_483_647, 2_147_483_648].map(accepts)).toEqual([true, false])
  })
