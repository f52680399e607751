import { type ReactNode, useEffect } from 'react'
import { useLive } from '../api/live.tsx'
import { LiveIndicator } from './live-indicator.tsx'

interface PageHeaderProps {
  /** Also the title of the tab. */
  title: string
  /** Instead of the title: a path of links. */
  breadcrumb?: ReactNode
  /** Whether the page has a mode and follows the feed. */
  isLive?: boolean
  children?: ReactNode
}

/** The first line of every page. */
export function PageHeader({ title, breadcrumb, isLive = true, children }: PageHeaderProps) {
  const { mode } = useLive()
  const isTest = isLive && mode === 'test'
  useEffect(() => {
    document.title = `${isTest ? 'TEST · ' : ''}${title} · Platen`
  }, [title, isTest])
  return (
    <header className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 border-b bg-surface px-4 py-2">
      <h1 className="flex min-w-0 items-center gap-1.5 text-base font-semibold">{breadcrumb ?? title}</h1>
      {isTest && <span className="hidden rounded bg-warn-soft px-1.5 text-xs font-bold text-warn md:inline">TEST</span>}
      {isLive && <LiveIndicator />}
      {children && <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  )
}
