import { useLive } from '../../api/live.tsx'
import { ownAuditQuery } from '../../api/queries.ts'
import { usePages } from '../../api/use-pages.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { Clock } from '../../ui/time.tsx'
import { describeAction, describeOutcome } from '../audit/actions.ts'

/** Sign-ins, wrong codes and ends of sessions of the user. */
export function OwnLog() {
  const query = usePages(ownAuditQuery(useLive()))
  return (
    <>
      <Section title="Your sign-ins" isFlush>
        <Loaded query={query} failure="Your sign-ins could not be loaded.">
          {(entries) => (
            <Table
              label="Your sign-ins"
              columns={[
                { label: 'Time', className: 'hidden w-40 sm:table-cell' },
                { label: 'Action', className: 'max-sm:pl-4' },
                { label: 'Outcome', className: 'w-24 sm:w-36' },
                { label: 'IP address', className: 'hidden w-40 md:table-cell' },
              ]}
            >
              {entries.map(({ id, at, action, outcome, ip }) => (
                <tr key={id} data-action={action}>
                  <td className="hidden sm:table-cell">
                    <Clock time={at} />
                  </td>
                  <td className="max-sm:pl-4">
                    {describeAction({ action, outcome }).replace(/ (for|of)$/, '$& you')}
                    <RowDetails parts={[<Clock key="at" time={at} />, ip]} />
                  </td>
                  <td className={outcome === 'ok' ? 'text-ok' : 'text-error'}>{describeOutcome(outcome)}</td>
                  <td className="hidden text-muted md:table-cell">{ip}</td>
                </tr>
              ))}
            </Table>
          )}
        </Loaded>
      </Section>
      <More query={query} />
    </>
  )
}
