/**
 * Finds what a mutation takes away from SQL: the conditions, conflict clauses, row locks, and arguments of GREATEST and
 * LEAST.
 *
 * Works on tokens, because a statement is composed of fragments: only PostgreSQL sees it whole. A hole `${…}` of a
 * fragment is one token, an operand where SQL needs one, and otherwise the begin of an unknown clause. Conditions are
 * made constant and not cut out, so that each parameter keeps its type.
 */
import { type Token, tokenize } from './tokenize.ts'

/** One change of the text: `start` to `end` becomes `text`. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** What is taken away at once. The edits do not overlap. */
export interface Condition {
  start: number
  end: number
  edits: Edit[]
  /** `<` became `<=`, or the other way round. */
  isBound?: true
}

const REGION_STARTS = ['WHERE', 'ON', 'HAVING', 'WHEN']
/** Each ends a condition, as a comma does. */
const CLAUSES = [
  ...REGION_STARTS,
  ...['SELECT', 'VALUES', 'SET', 'GROUP', 'ORDER', 'LIMIT', 'OFFSET', 'RETURNING', 'UNION', 'EXCEPT', 'INTERSECT'],
  ...['WINDOW', 'FOR', 'JOIN', 'LEFT', 'RIGHT', 'INNER', 'CROSS', 'FULL', 'USING', 'CASE', 'THEN', 'ELSE', 'END', 'AS'],
  ...['WITH', 'INSERT', 'UPDATE', 'DELETE', 'DO', 'FROM', 'PARTITION', 'LATERAL'],
]
/** A value cannot follow a value. Each of these stands between two values, or before one. */
const BEFORE_VALUE = [
  ...['AND', 'OR', 'NOT', 'IN', 'IS', 'LIKE', 'ILIKE', 'BETWEEN', 'ANY', 'ALL', 'DISTINCT', 'BY', 'EXISTS', 'SIMILAR'],
  ...['TO', 'COLLATE', 'ESCAPE', 'ZONE', 'INTERVAL', 'ARRAY', 'OVER', 'INTO', 'ONLY', 'TABLE', 'CONFLICT'],
]
const BOUNDS: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** One token, or all from a paren to its end, or from CASE to END. */
type Node = Token | Group

interface Group {
  type: 'group' | 'case'
  text: ''
  start: number
  end: number
  nodes: Node[]
  isGlued: boolean
}

const ENDS = { group: /^\)$/, case: /^end$/i }

/** @param source of a template without its backticks, or of a string without its quotes. */
export function findConditions(source: string): Condition[] {
  const conditions: Condition[] = []
  visit(nest(tokenize(source)), conditions, true)
  return conditions.toSorted((a, b) => a.start - b.start || b.end - a.end)
}

function nest(tokens: Token[]): Node[] {
  const root: Node[] = []
  const open: Group[] = []
  for (const token of tokens) {
    const group = open.at(-1)
    if (group && ENDS[group.type].test(token.text)) {
      group.end = token.end
      open.pop()
      continue
    }
    const nodes = group?.nodes ?? root
    const type = token.text === '(' ? 'group' : isWord(token, 'CASE') ? 'case' : undefined
    if (type) {
      const opened: Group = { type, text: '', start: token.start, end: token.end, nodes: [], isGlued: token.isGlued }
      nodes.push(opened)
      open.push(opened)
    } else nodes.push(token)
  }
  return root
}

const isWord = (node: Node | undefined, ...words: string[]) =>
  node?.type === 'word' && words.includes(node.text.toUpperCase())

/** @param isOpen the nodes are a whole fragment, which can begin inside a condition. */
function visit(nodes: Node[], conditions: Condition[], isOpen = false): void {
  addConflicts(nodes, conditions)
  addLocks(nodes, conditions)
  addExtremes(nodes, conditions)
  for (const segment of toSegments(nodes)) addSegment(segment, conditions, isOpen && segment.nodes[0] === nodes[0])
}

interface Segment {
  /** The first word of the segment, such as WHERE. */
  word: string
  nodes: Node[]
}

/** Splits at words of clauses, at commas, and before a hole that follows a value. */
function toSegments(nodes: Node[]): Segment[] {
  const segments: Segment[] = [{ word: '', nodes: [] }]
  for (const [i, node] of nodes.entries()) {
    const before = nodes[i - 1]
    const isFunction = nodes[i + 1]?.type === 'group' && isWord(node, 'LEFT', 'RIGHT')
    const isDistinctFrom = isWord(node, 'FROM') && isWord(before, 'DISTINCT')
    if (isWord(node, ...CLAUSES) && !isFunction && !isDistinctFrom)
      segments.push({ word: node.text.toUpperCase(), nodes: [] })
    else if (node.text === ',' || node.text === ';') segments.push({ word: ',', nodes: [] })
    else if (node.type === 'hole' && !node.isGlued && before && isValue(before)) segments.push({ word: '', nodes: [] })
    else segments.at(-1)?.nodes.push(node)
  }
  return segments
}

const isValue = (node: Node): boolean =>
  node.type === 'word' ? !isWord(node, ...BEFORE_VALUE, ...CLAUSES) : node.type !== 'operator'

function addSegment({ word, nodes }: Segment, conditions: Condition[], isOpen: boolean): void {
  const isCondition = REGION_STARTS.includes(word) && !isWord(nodes[0], 'CONFLICT')
  const terms = split(nodes, 'OR').map((term) => split(term, 'AND'))
  const isCombined = terms.length > 1 || (terms[0]?.length ?? 0) > 1
  // It can be an assignment, or a hole with a table and the begin of its WHERE.
  const isFirstUnknown = word === 'FROM' || (!isCondition && !isOpen && nodes[1]?.text === '=')
  if (isCombined) addTerms(terms, conditions, isFirstUnknown ? nodes[0] : undefined)
  else if (word === 'WHERE' || word === 'HAVING') addTerms(terms, conditions)
  else addExists(nodes, conditions)
  addBounds(nodes, conditions)
  visitOperands(nodes, conditions, isCondition || isCombined)
}

/** @param skipped an operand that begins with this node is not changed. */
function addTerms(terms: Node[][][], conditions: Condition[], skipped?: Node): void {
  for (const operands of terms) {
    const [first, last] = [operands[0]?.[0], operands.at(-1)?.at(-1)]
    if (terms.length > 1 && first && last && first !== skipped) conditions.push(wrap(first, last, 'AND FALSE'))
    if (terms.length > 1 && operands.length === 1) continue
    for (const operand of operands) {
      const [first, last] = [operand[0], operand.at(-1)]
      if (first && last && first !== skipped) conditions.push(wrap(first, last, 'OR TRUE'))
    }
  }
}

const wrap = ({ start }: Node, { end }: Node, constant: string): Condition => ({
  start,
  end,
  edits: [
    { start, end: start, text: '((' },
    { start: end, end, text: `) ${constant})` },
  ],
})

const replace = (start: number, end: number, text: string): Condition => ({ start, end, edits: [{ start, end, text }] })

function addExists(nodes: Node[], conditions: Condition[]): void {
  for (const [i, node] of nodes.entries()) {
    const query = nodes[i + 1]
    if (isWord(node, 'EXISTS') && query?.type === 'group') conditions.push(wrap(node, query, 'OR TRUE'))
  }
}

/** Splits at a word that is not the AND of BETWEEN. */
function split(nodes: Node[], word: 'AND' | 'OR'): Node[][] {
  const parts: Node[][] = [[]]
  let isBetween = false
  for (const node of nodes) {
    if (isWord(node, word) && !(word === 'AND' && isBetween)) parts.push([])
    else parts.at(-1)?.push(node)
    if (isWord(node, 'BETWEEN')) isBetween = true
    else if (isWord(node, 'AND', 'OR')) isBetween = false
  }
  return parts
}

/** The inside of a paren is a condition if the paren is a whole operand. */
function visitOperands(nodes: Node[], conditions: Condition[], isCondition: boolean): void {
  for (const [i, node] of nodes.entries()) {
    if (node.type !== 'group' && node.type !== 'case') continue
    const [before, after] = [nodes[i - 1], nodes[i + 1]]
    const isOperand =
      node.type === 'group' &&
      isCondition &&
      (!before || isWord(before, 'AND', 'OR', 'NOT')) &&
      (!after || isWord(after, 'AND', 'OR', 'IS'))
    if (isOperand && !isWord(node.nodes[0], 'SELECT', 'WITH', 'VALUES'))
      addSegment({ word: 'ON', nodes: node.nodes }, conditions, false)
    else visit(node.nodes, conditions)
  }
}

function addBounds(nodes: Node[], conditions: Condition[]): void {
  for (const { type, text, start, end } of nodes) {
    const bound = type === 'operator' && BOUNDS[text]
    if (bound) conditions.push({ ...replace(start, end, bound), isBound: true })
  }
}

/** `ON CONFLICT … DO …` is removed up to RETURNING. */
function addConflicts(nodes: Node[], conditions: Condition[]): void {
  for (const [i, node] of nodes.entries()) {
    if (!isWord(node, 'ON') || !isWord(nodes[i + 1], 'CONFLICT')) continue
    const next = nodes.findIndex((other, j) => j > i && isWord(other, 'RETURNING'))
    const last = nodes[(next === -1 ? nodes.length : next) - 1] as Node
    conditions.push(replace(node.start, last.end, ''))
  }
}

/** `FOR UPDATE OF job SKIP LOCKED` is removed, as is `SKIP LOCKED` alone. */
function addLocks(nodes: Node[], conditions: Condition[]): void {
  for (const [i, node] of nodes.entries()) {
    if (isWord(node, 'SKIP') && isWord(nodes[i + 1], 'LOCKED'))
      conditions.push(replace(node.start, (nodes[i + 1] as Node).end, ''))
    if (!isWord(node, 'FOR')) continue
    let last = i + 1
    while (isWord(nodes[last], 'NO', 'KEY')) last++
    if (!isWord(nodes[last], 'UPDATE', 'SHARE')) continue
    if (isWord(nodes[last + 1], 'OF')) last += 2
    if (isWord(nodes[last + 1], 'SKIP')) last += 2
    else if (isWord(nodes[last + 1], 'NOWAIT')) last++
    conditions.push(replace(node.start, (nodes[last] as Node).end, ''))
  }
}

/** Takes each argument away. Of two arguments an array is made, in which a parameter has the type of the other one. */
function addExtremes(nodes: Node[], conditions: Condition[]): void {
  for (const [i, node] of nodes.entries()) {
    const group = nodes[i + 1]
    if (!isWord(node, 'GREATEST', 'LEAST') || group?.type !== 'group') continue
    const commas = group.nodes.filter(({ text }) => text === ',')
    const starts = [group.start + 1, ...commas.map(({ end }) => end)]
    for (const [n, start] of starts.entries()) {
      const end = commas[n]?.start ?? group.end - 1
      if (starts.length === 2) conditions.push({ start, end, edits: toElement(node, group, n === 0 ? 2 : 1) })
      // NULL is ignored. The type of a parameter alone would be unknown.
      else if (!group.nodes.some(({ start: at, text }) => at >= start && at < end && text.startsWith('$')))
        conditions.push({ start, end, edits: toNull(start, end) })
    }
  }
}

const toElement = ({ start }: Node, group: Node, index: number): Edit[] => [
  { start, end: group.start + 1, text: '(ARRAY[' },
  { start: group.end - 1, end: group.end, text: `])[${index}]` },
]

const toNull = (start: number, end: number): Edit[] => [
  { start, end: start, text: '(CASE WHEN FALSE THEN ' },
  { start: end, end, text: ' END)' },
]
