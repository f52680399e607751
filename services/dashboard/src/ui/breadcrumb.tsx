import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'

/** The path to a page, as the `breadcrumb` of `PageHeader`. The links are those of the pages above. */
export function Breadcrumb({ links, title }: { links: ReactNode[]; title: string }) {
  return (
    <>
      {links.map((link, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the links of a page never change their order
        <Fragment key={index}>
          <span className="shrink-0 text-muted [&_a]:hover:underline">{link}</span>
          <ChevronRight size={14} aria-hidden className="shrink-0 text-muted" />
        </Fragment>
      ))}
      <span className="line-clamp-2" title={title}>
        {title}
      </span>
    </>
  )
}
