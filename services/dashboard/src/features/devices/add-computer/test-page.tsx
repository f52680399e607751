import { findTestSize } from '@platen/resources/test-documents/find-test-size.ts'
import {
  detectDocument,
  TEST_DOCUMENTS,
  type TestDocument,
  toTestSubject,
} from '@platen/resources/test-documents/test-documents.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Printer, PrintJob } from '../../../api/gen/schema.ts'
import { useLive, useResources } from '../../../api/live.tsx'
import { isFinal } from '../../../api/resources.ts'
import { Button } from '../../../ui/button.tsx'
import { DeviceState } from '../../../ui/device-state.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { MarkedText } from '../../../ui/marked-text.tsx'
import { newId } from '../../../ui/new-id.ts'
import { JobState } from '../../jobs/job-state.tsx'
import { useExplanation } from '../../jobs/page/use-explanation.ts'
import { choosePrinter } from './choose-printer.ts'

interface TestPageProps {
  computerId: string
  /** Without it one of the printers is chosen. */
  printerId?: string
  /** The newest test page. */
  job: PrintJob | undefined
  onSent(job: PrintJob): void
}

/**
 * Prints a document that the chosen printer takes. After a failure the cause is shown, with the choice and the button
 * again.
 */
export function TestPage({ computerId, printerId: only, job, onSent }: TestPageProps) {
  const { mode, key, send } = useLive()
  const [printerId, setPrinterId] = useState<string>()
  const [kind, setKind] = useState<TestDocument>()
  const idempotencyKey = useRef(newId())
  const live = useResources('printer')
  const ids = live.filter((one) => one.computerId === computerId).map(({ id }) => id)
  // The printers of events have no capabilities.
  const list = useQuery({
    queryKey: [...key, 'printers-of', computerId, ids.toSorted().join()],
    queryFn: ({ signal }) =>
      send((api) => api.GET('/v1/computers/{id}/printers', { params: { path: { id: computerId } } }), signal),
    placeholderData: keepPreviousData,
  })
  const printers = (list.data?.data ?? [])
    .filter(({ id }) => only === undefined || id === only)
    .map((one) => ({ ...one, ...live.find(({ id }) => id === one.id) }))
  const printer = printers.find(({ id }) => id === printerId) ?? choosePrinter(printers)
  const document = kind ?? (printer ? detectDocument(printer) : 'pdf')
  const print = useMutation({
    mutationFn: (chosen: Printer) => {
      const { id } = chosen
      const { contentType, make } = TEST_DOCUMENTS[document]
      return send((api) =>
        api.POST('/v1/printjobs', {
          params: { header: { 'Idempotency-Key': idempotencyKey.current } },
          body: {
            printerId: id,
            title: 'Test page',
            source: 'dashboard',
            contentType,
            content: btoa(make(toTestSubject(chosen, location.origin), findTestSize(chosen))),
          },
        }),
      )
    },
    onSuccess(created) {
      idempotencyKey.current = newId()
      onSent(created)
    },
  })
  const isPrinted = job?.state === 'done'
  const isWaiting = job !== undefined && !isFinal(job)
  if (list.isError && !list.data) return <ErrorPanel title="The printers were not listed." error={list.error} />
  if (!list.data) return <Loading />
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="flex flex-col gap-1" aria-label="Printer" disabled={isWaiting}>
        {printers.map((one) => (
          <label key={one.id} className="flex min-h-6 flex-wrap items-center gap-2 text-text">
            <input
              type="radio"
              name="printer"
              className="size-4"
              checked={one.id === printer?.id}
              onChange={() => {
                setPrinterId(one.id)
                setKind(undefined)
              }}
            />
            {one.displayName}
            <DeviceState state={one.state} />
            {one.stateDetail}
            {one.isDefault && '(default)'}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Document"
          value={document}
          disabled={isWaiting}
          onChange={({ target }) => setKind(target.value as TestDocument)}
        >
          {Object.entries(TEST_DOCUMENTS).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
        <Button
          variant={isPrinted ? 'normal' : 'primary'}
          disabled={!printer || print.isPending || isWaiting}
          onClick={() => printer && print.mutate(printer)}
        >
          {job ? 'Print it again' : 'Print a test page'}
        </Button>
        {mode === 'live' && <span>It counts as one live print.</span>}
      </div>
      {print.isError && <ErrorPanel title="The test page was not sent." error={print.error} />}
      {job && (
        <span className="flex flex-wrap items-center gap-2">
          <JobState state={job.state} />
          <Link to="/$mode/jobs/$jobId" params={{ mode, jobId: job.id }} className="link">
            {job.title}
          </Link>
        </span>
      )}
      {job && !isPrinted && <Cause key={job.id} jobId={job.id} />}
    </div>
  )
}

/** Why the test page waits or was not printed. */
function Cause({ jobId }: { jobId: string }) {
  const { data } = useExplanation(jobId)
  if (!data) return null
  return (
    <div className="text-text">
      <p className="font-medium">{data.headline}</p>
      {data.cause && (
        <p>
          <MarkedText text={data.cause} />
        </p>
      )}
      {isFinal(data.job) && <p>Choose another printer or document, and print it again.</p>}
    </div>
  )
}
