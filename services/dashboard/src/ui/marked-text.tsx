import { splitText, type TextPart } from './text-parts.ts'
import { Clock } from './time.tsx'

/** A text of the service, with commands set off and times as everywhere on the page. */
export function MarkedText({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
  return splitText(text).map((part, index) => <Part key={index} {...part} />)
}

function Part({ kind, text }: TextPart) {
  if (kind === 'code') return <code className="rounded bg-raised px-1 font-mono text-xs">{text}</code>
  return kind === 'time' ? <Clock time={text} /> : text
}
