import { Button } from './button.tsx'
import { ErrorPanel } from './error-panel.tsx'

interface MoreProps {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: Error | null
    fetchNextPage(): unknown
  }
}

/** Loads the next page of a list. */
export function More({ query }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query
  if (isFetchNextPageError)
    return <ErrorPanel title="More could not be loaded." error={error} onRetry={() => fetchNextPage()} />
  if (!hasNextPage) return null
  return (
    <div className="flex justify-center">
      <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchingNextPage ? 'Loading …' : 'Show more'}
      </Button>
    </div>
  )
}
