import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { FoundPrinter } from '../../../api/gen/schema.ts'
import { useLive, usePrinters, useResource } from '../../../api/live.tsx'
import { networkPrintersQuery } from '../../../api/queries.ts'
import { useDevice } from '../../../api/use-one.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Section } from '../../../ui/section.tsx'
import { TestPage } from '../add-computer/test-page.tsx'
import { ChosenQueue, useQueuePrinter } from './chosen-queue.tsx'
import { FoundPrinters } from './found-printers.tsx'
import { type NewPrinter, PrinterForm } from './printer-form.tsx'

/** A network printer for the agent of a computer: found or typed, added, and tried. */
export function AddPrinterPage() {
  const { computerId: id } = useParams({ from: '/$mode/computers/$computerId/add-printer' })
  const { queue: queueName } = useSearch({ from: '/$mode/computers/$computerId/add-printer' })
  const live = useLive()
  const { mode, send, isPermitted } = live
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<FoundPrinter>()
  const ofQueue = useQueuePrinter(id, queueName)
  // It stays when it is added, and the computer offers it no more.
  if (ofQueue && !chosen) setChosen(ofQueue)
  const { printers } = usePrinters()
  const { known } = useDevice('computer', id, (api) => api.GET('/v1/computers/{id}', { params: { path: { id } } }))
  const add = useMutation({
    mutationFn: (body: NewPrinter) =>
      send((api) => api.POST('/account/computers/{id}/network-printers', { params: { path: { id } }, body })),
    onSuccess({ osName }) {
      announce(`Added the printer ${osName}`)
      void queryClient.invalidateQueries({ queryKey: networkPrintersQuery(live, id).queryKey })
    },
  })
  const reason =
    mode === 'test'
      ? 'The virtual computer of test mode has no network.'
      : isPermitted('addNetworkPrinter')
        ? undefined
        : 'Only owners and admins can add printers.'
  const printer = printers.find(({ computerId, osName }) => computerId === id && osName === add.data?.osName)
  return (
    <>
      <PageHeader
        title="Add a network printer"
        path={[
          { label: 'Computers', to: '/$mode/computers' },
          { label: known?.name ?? 'Computer', to: '/$mode/computers/$computerId' },
        ]}
      />
      <div className="flex max-w-3xl flex-col gap-4 p-4">
        {reason !== undefined ? (
          <p className="text-sm">{reason}</p>
        ) : (
          <Permitted computerId={id}>
            {queueName === undefined ? (
              <FoundPrinters computerId={id} onChoose={setChosen} />
            ) : (
              <ChosenQueue osName={queueName} printer={chosen} />
            )}
            <Section title="2. Add it">
              {/* A found printer replaces what was typed. */}
              <PrinterForm key={chosen?.uri} computerId={id} initial={chosen} mutation={add} />
            </Section>
            {add.data && (
              <Section title="3. Print a test page">
                {printer ? (
                  <TryPrinter computerId={id} printerId={printer.id} />
                ) : (
                  <p className="text-sm">The agent reports the printer …</p>
                )}
              </Section>
            )}
          </Permitted>
        )}
      </div>
    </>
  )
}

/** The owner of the computer decides, before anything is searched or typed. */
function Permitted({ computerId, children }: { computerId: string; children: ReactNode }) {
  const { data, isPending, isFetching, refetch } = useQuery({
    ...networkPrintersQuery(useLive(), computerId),
    refetchOnMount: 'always',
  })
  if (isPending) return <Loading />
  if (!data?.refusal) return children
  return (
    <Section
      title="Not permitted on this computer"
      actions={
        <Button disabled={isFetching} onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <p>{data.refusal}</p>
        <p>
          The{' '}
          <a
            className="link"
            href="/docs/network-printers#printers-from-the-dashboard"
            target="_blank"
            rel="noreferrer"
          >
            documentation
          </a>{' '}
          says what it permits, and which networks and ports can be named.
        </p>
      </div>
    </Section>
  )
}

function TryPrinter({ computerId, printerId }: { computerId: string; printerId: string }) {
  const { resources } = useLive()
  const [jobId, setJobId] = useState('')
  const job = useResource('printjob', jobId)
  return (
    <div className="text-sm">
      <TestPage
        computerId={computerId}
        printerId={printerId}
        job={job}
        onSent={(sent) => {
          resources.put('printjob', sent)
          setJobId(sent.id)
        }}
      />
    </div>
  )
}
