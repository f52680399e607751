import { useQuery } from '@tanstack/react-query'
import type { Usage } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { usageQuery } from '../../api/queries.ts'
import { serverNow } from '../../api/server-time.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { formatDay, formatDuration, useNow } from '../../ui/time.tsx'
import { Days, Groups, Months } from './statistics.tsx'

/** The part of a month, before which a forecast would be a guess. */
const FORECAST_AFTER = 0.1

export function UsagePage() {
  const query = useQuery(usageQuery(useLive()))
  return (
    <>
      <PageHeader title="Usage" isLive={false} />
      <div className="max-w-3xl p-4">
        <Loaded query={query} failure="The usage could not be loaded.">
          {(usage) => (
            <div className="flex flex-col gap-4">
              <Prints usage={usage} />
              <Days usage={usage} />
              <Months usage={usage} />
              <Groups usage={usage} />
              <Section title="Computers">
                <Amount
                  used={usage.computers.used}
                  limit={usage.computers.limit}
                  unit={
                    usage.computers.used === 1 && usage.computers.limit === null ? 'live computer' : 'live computers'
                  }
                />
              </Section>
              <TestJobs usage={usage} />
            </div>
          )}
        </Loaded>
      </div>
    </>
  )
}

function Prints({ usage: { period, prints, plan } }: { usage: Usage }) {
  const start = Date.parse(period.start)
  const end = Date.parse(period.end)
  const elapsed = (serverNow() - start) / (end - start)
  return (
    <Section title={`Prints since ${formatDay(period.start)}`}>
      <div className="flex flex-col gap-4">
        <Amount used={prints.used} limit={prints.limit} unit="prints" />
        <Facts>
          {prints.used > 0 && (
            <Fact name="Forecast">
              {elapsed < FORECAST_AFTER
                ? 'after some days of the month'
                : `about ${Math.round(prints.used / elapsed).toLocaleString()} until ${formatDay(period.end)}, if it goes on like this`}
            </Fact>
          )}
          <Fact name="Plan">{plan}</Fact>
        </Facts>
        <p className="text-xs text-muted">
          One print is one accepted live job, independent of its pages and copies. A month begins and ends at midnight
          UTC.
        </p>
      </div>
    </Section>
  )
}

function TestJobs({ usage: { testJobsToday } }: { usage: Usage }) {
  const left = Date.parse(testJobsToday.resetsAt) - useNow(60_000)
  return (
    <Section title="Test jobs today">
      <Amount used={testJobsToday.used} limit={testJobsToday.limit} unit="test jobs" />
      <p className="mt-3 text-xs text-muted">
        Test jobs are free and are not prints. The count begins again in {formatDuration(Math.max(0, left))}.
      </p>
    </Section>
  )
}

/** A number, and its part of the limit. */
function Amount({ used, limit, unit }: { used: number; limit: number | null; unit: string }) {
  return (
    <div className="flex flex-col gap-2">
      <p>
        <span className="text-xl font-semibold">{used.toLocaleString()}</span>{' '}
        <span className="text-muted">
          {limit === null ? `${unit}, unlimited` : `of ${limit.toLocaleString()} ${unit}`}
        </span>
      </p>
      {limit !== null && (
        <progress className="w-full max-w-md accent-accent" aria-label={`Used ${unit}`} value={used} max={limit} />
      )}
    </div>
  )
}
