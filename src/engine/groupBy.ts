/** Groups items by a key, in order of first appearance. (`Map.groupBy` is not in the oldest editor we run in.) */
export function groupBy<Key, Item>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}
