import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'
import { Loading } from './loading.tsx'

interface LoadedProps<Data> {
  query: { data: Data | undefined; isError: boolean; error: Error | null; refetch(): unknown }
  /** What failed: "The keys could not be loaded." */
  failure: string
  children: (data: Data) => ReactNode
}

/** What a query has loaded. A later failure is shown above it. */
export function Loaded<Data>({ query, failure, children }: LoadedProps<Data>) {
  const { data, isError, error, refetch } = query
  const panel = isError && <ErrorPanel title={failure} error={error} onRetry={() => refetch()} />
  if (data === undefined) return panel || <Loading />
  return (
    <>
      {panel}
      {children(data)}
    </>
  )
}
