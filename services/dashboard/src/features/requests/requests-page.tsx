import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { Refusal } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { keysQuery, printAccessQuery, refusalsQuery } from '../../api/queries.ts'
import { usePages } from '../../api/use-pages.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MarkedText } from '../../ui/marked-text.tsx'
import { More } from '../../ui/more.tsx'
import { Table } from '../../ui/table.tsx'
import { Clock } from '../../ui/time.tsx'

/** Requests of API keys and print accesses that were answered with an error. */
export function RequestsPage() {
  const live = useLive()
  const { mode, isPermitted } = live
  const { key } = useSearch({ from: '/$mode/requests' })
  const navigate = useNavigate({ from: '/$mode/requests' })
  const keys = useQuery(keysQuery(live)).data?.data ?? []
  const accesses = useQuery(printAccessQuery(live)).data?.data ?? []
  const query = usePages(refusalsQuery(live, key))
  const nameKey = (id: string) => [...keys, ...accesses].find((one) => one.id === id)?.name ?? id
  const filter = (apiKeyId?: string) => navigate({ search: apiKeyId === undefined ? {} : { key: apiKeyId } })
  return (
    <>
      <PageHeader title="Requests" />
      {!isPermitted('listRefusals') ? (
        <Empty title="Only owners and admins can see refused requests" />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-4 py-2">
            {key && (
              <Button onClick={() => filter()}>
                Key “{nameKey(key)}”
                <X size={14} aria-label="Remove the filter" />
              </Button>
            )}
            <span className="text-xs text-muted">
              Requests with an API key or a print access that got an error, for 24 hours, at most 1,000. Without their
              bodies.
            </span>
          </div>
          <Loaded query={query} failure="The requests could not be loaded.">
            {(refusals) =>
              refusals.length === 0 ? (
                <Empty title={key ? 'No request with this key was refused' : `No request was refused in ${mode} mode`}>
                  A request with an unknown key belongs to no organization and is not shown.
                </Empty>
              ) : (
                <div className="section-table bg-surface">
                  <Table
                    label="Refused requests"
                    columns={[
                      { label: 'Time', className: 'w-20 sm:w-32' },
                      { label: 'Request', className: 'hidden w-[24%] sm:table-cell' },
                      { label: 'Answer' },
                      { label: 'Key', className: 'hidden w-[16%] md:table-cell' },
                      { label: 'Id', className: 'w-12' },
                    ]}
                  >
                    {refusals.map((refusal) => (
                      <RefusalRow
                        key={refusal.id}
                        refusal={refusal}
                        keyName={nameKey(refusal.apiKeyId)}
                        onFilter={() => filter(refusal.apiKeyId)}
                      />
                    ))}
                  </Table>
                </div>
              )
            }
          </Loaded>
          <div className="p-4">
            <More query={query} />
          </div>
        </>
      )}
    </>
  )
}

const NO_ROUTE = 'The request was refused before its path was read, or the path does not exist.'

interface RefusalRowProps {
  refusal: Refusal
  keyName: string
  onFilter(): void
}

function RefusalRow({ refusal, keyName, onFilter }: RefusalRowProps) {
  const { at, method, route, status, code, message, requestId } = refusal
  return (
    <tr data-request={requestId} className="align-top [&>td]:py-2">
      <td>
        <Clock time={at} />
      </td>
      <td className="id hidden sm:table-cell" title={`${method} ${route ?? NO_ROUTE}`}>
        {method} {route}
      </td>
      <td className="whitespace-normal">
        <span className="id block sm:hidden">
          {method} {route}
        </span>
        <span className="font-medium text-error">
          {status} {code}
        </span>
        <span className="block">
          <MarkedText text={message} />
        </span>
        <button type="button" className="min-h-6 max-w-full truncate hover:underline md:hidden" onClick={onFilter}>
          Key “{keyName}”
        </button>
      </td>
      <td className="hidden md:table-cell">
        <button
          type="button"
          className="-my-0.5 min-h-6 max-w-full truncate text-left hover:underline"
          onClick={onFilter}
        >
          {keyName}
        </button>
      </td>
      <td>
        <CopyButton isCompact text={requestId} label="Copy request id" />
      </td>
    </tr>
  )
}
