import { findTestSize } from '@platen/resources/test-documents/find-test-size.ts'
import {
  detectDocument,
  TEST_DOCUMENTS,
  type TestDocument,
  toTestSubject,
} from '@platen/resources/test-documents/test-documents.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useLive } from '../../../api/live.tsx'
import { createJobCall } from '../../../api/new-job.ts'
import type { Printer } from '../../../api/resources.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { newId } from '../../../ui/new-id.ts'

/** Prints a test page in the language of the printer, and opens its job. */
export function TestPageDialog({ printer, onClose }: { printer: Printer; onClose(): void }) {
  const { mode, send, resources } = useLive()
  const navigate = useNavigate()
  const [kind, setKind] = useState<TestDocument>(() => detectDocument(printer))
  const idempotencyKey = useRef(newId())
  const print = useMutation({
    mutationFn: () => {
      const { contentType, make } = TEST_DOCUMENTS[kind]
      const content = btoa(make(toTestSubject(printer, location.origin), findTestSize(printer)))
      const body = { printerId: printer.id, title: 'Test page', source: 'dashboard', contentType, content }
      return send(createJobCall(body, idempotencyKey.current))
    },
    onSuccess(job) {
      resources.put('printjob', job)
      void navigate({ to: '/$mode/jobs/$jobId', params: { mode, jobId: job.id } })
    },
  })
  return (
    <Dialog title={`Print a test page on ${printer.displayName}`} onClose={onClose}>
      <SelectField
        label="Document"
        hint="A label printer without a driver prints its own language only."
        value={kind}
        onChange={({ target }) => setKind(target.value as TestDocument)}
      >
        {Object.entries(TEST_DOCUMENTS).map(([name, { label }]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      <p className="text-sm text-muted">
        {mode === 'live' ? 'It counts as one live print.' : 'Test mode prints nothing on paper.'}
      </p>
      {print.isError && <ErrorPanel title="The test page was not sent." error={print.error} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" disabled={print.isPending} onClick={() => print.mutate()}>
          Print
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
