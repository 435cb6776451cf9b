/**
 * Returns the circles of a directed graph: each strongly connected set of more than one node, by Tarjan's algorithm.
 * Nodes that are named only as targets have no outgoing arrows.
 */
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];

  function visit(node: string): number {
    const number = order.size;
    order.set(node, number);
    lowest.set(node, number);
    path.push(node);
    for (const target of graph.get(node) ?? []) {
      const reached = order.has(target) ? orderOnPath(target) : visit(target);
      lowest.set(node, Math.min(lowest.get(node) ?? number, reached));
    }
    if (lowest.get(node) === number) {
      const circle = path.splice(path.indexOf(node));
      if (circle.length > 1) circles.push(circle);
    }
    return lowest.get(node) ?? number;
  }

  function orderOnPath(node: string): number {
    return path.includes(node) ? (order.get(node) ?? Infinity) : Infinity;
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
