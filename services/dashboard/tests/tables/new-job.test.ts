import { expect, test } from 'vitest'
import { FILE_CONTENT, type NewJob, toFormCommand } from '../../src/api/new-job.ts'

test.each([
  ['pdf_base64', []],
  ['image_base64', []],
  ['raw_base64', ["--form-string 'contentType=raw'"]],
] as const)('the command of a form with %s asks for raw data only', (contentType, asked) => {
  const body: NewJob = { printerId: 'p', title: 'Notes', contentType, content: FILE_CONTENT }
  const command = "curl 'http://localhost/v1/printjobs' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{}'"
  expect(toFormCommand(command, body, 'notes.docx').split(' \\\n  ')).toEqual([
    "curl 'http://localhost/v1/printjobs'",
    "--form-string 'printerId=p'",
    "--form-string 'title=Notes'",
    ...asked,
    `-F 'file=@"notes.docx"'`,
  ])
})
