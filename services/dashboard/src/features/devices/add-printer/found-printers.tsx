import { useQuery } from '@tanstack/react-query'
import type { FoundPrinter } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Section } from '../../../ui/section.tsx'

interface FoundPrintersProps {
  computerId: string
  onChoose(printer: FoundPrinter): void
}

/** Searches when the page is opened, and again by a button. */
export function FoundPrinters({ computerId: id, onChoose }: FoundPrintersProps) {
  const { key, send } = useLive()
  const query = useQuery({
    queryKey: [...key, 'printer-search', id],
    queryFn: ({ signal }) =>
      send((api) => api.POST('/account/computers/{id}/printer-search', { params: { path: { id } } }), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <Section
      title="1. Choose a printer"
      actions={
        <Button disabled={query.isFetching} onClick={() => void query.refetch()}>
          Search again
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {query.isFetching ? (
          <>
            <p className="text-muted">The computer searches its networks for a few seconds.</p>
            <Loading />
          </>
        ) : query.error ? (
          <ErrorPanel title="The printers were not searched." error={query.error} />
        ) : (
          <Found printers={query.data?.data ?? []} onChoose={onChoose} />
        )}
      </div>
    </Section>
  )
}

function Found({ printers, onChoose }: { printers: FoundPrinter[]; onChoose(printer: FoundPrinter): void }) {
  if (printers.length === 0)
    return (
      <p>
        The computer found no printer. Check that the printer is switched on and in a network of the computer, or enter
        its address below. Its menu or its status page shows the address.
      </p>
    )
  return (
    <ul aria-label="Found printers" className="flex flex-col gap-2">
      {printers.map((printer) => (
        <li key={printer.uri} className="flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-0">
            <span className="font-medium">{printer.name}</span> {printer.model !== printer.name && printer.model}
            <span className="block font-mono text-xs break-all text-muted">{printer.uri}</span>
            {printer.supportsPdf === false && (
              <span className="block text-warn">It prints no PDF by itself, so the agent may refuse it.</span>
            )}
          </span>
          <Button
            aria-label={`Use ${printer.name}`}
            onClick={() => onChoose({ ...printer, name: printer.name.slice(0, 127) })}
          >
            Use
          </Button>
        </li>
      ))}
    </ul>
  )
}
