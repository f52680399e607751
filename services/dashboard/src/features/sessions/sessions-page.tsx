import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenSession } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { sessionsQuery } from '../../api/queries.ts'
import { SettingsHeader } from '../../shell/settings-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { Age, Clock } from '../../ui/time.tsx'
import { OwnLog } from './own-log.tsx'

export function SessionsPage() {
  const live = useLive()
  const [ending, setEnding] = useState<OpenSession | 'others'>()
  const query = useQuery(sessionsQuery(live))
  return (
    <>
      <SettingsHeader title="Sessions">
        {(query.data?.data.length ?? 0) > 1 && (
          <Button onClick={() => setEnding('others')}>End all other sessions</Button>
        )}
      </SettingsHeader>
      <div className="flex flex-col gap-4 p-4">
        <Section title="Open sessions" isFlush>
          <Loaded query={query} failure="The sessions could not be loaded.">
            {({ data }) => (
              <Table
                label="Open sessions"
                columns={[
                  { label: 'Browser' },
                  { label: 'IP address', className: 'hidden w-40 md:table-cell' },
                  { label: 'Signed in', className: 'hidden w-32 lg:table-cell' },
                  { label: 'Last used', className: 'hidden w-24 sm:table-cell' },
                  { label: 'Action', className: 'w-24', isHidden: true },
                ]}
              >
                {data.map((one) => (
                  <tr key={one.id} data-session={one.id}>
                    <td className="max-sm:whitespace-normal">
                      {one.browser}
                      <RowDetails parts={[one.ip, <Age key="age" time={one.lastUsedAt} isPast />]} />
                    </td>
                    <td className="hidden text-muted md:table-cell">{one.ip}</td>
                    <td className="hidden text-muted lg:table-cell">
                      <Clock time={one.createdAt} />
                    </td>
                    <td className="hidden text-muted sm:table-cell">
                      <Age time={one.lastUsedAt} isPast />
                    </td>
                    <td>
                      {one.isCurrent ? (
                        <span className="text-ok">this one</span>
                      ) : (
                        <Button
                          className="min-h-6.5"
                          aria-label={`End the session in ${one.browser}`}
                          onClick={() => setEnding(one)}
                        >
                          End
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </Loaded>
        </Section>
        <OwnLog />
      </div>
      {ending && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

function EndDialog({ ending, onClose }: { ending: OpenSession | 'others'; onClose(): void }) {
  const live = useLive()
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: () =>
      ending === 'others'
        ? live.send((api) => api.DELETE('/account/sessions'))
        : live.send((api) => api.DELETE('/account/sessions/{id}', { params: { path: { id: ending.id } } })),
    onSuccess() {
      announce(ending === 'others' ? 'Ended the other sessions' : 'Ended the session')
      void queryClient.invalidateQueries({ queryKey: sessionsQuery(live).queryKey })
      onClose()
    },
  })
  if (ending === 'others')
    return (
      <Confirm title="End all your other sessions?" action="End sessions" mutation={end} onClose={onClose}>
        <p>Other browsers are signed out within 5 seconds, and are no longer known.</p>
      </Confirm>
    )
  return (
    <Confirm title="End this session?" action="End session" mutation={end} onClose={onClose}>
      <p>
        You are signed out within 5 seconds in {ending.browser}, {ending.ip}.
      </p>
    </Confirm>
  )
}
