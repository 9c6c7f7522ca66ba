(() => {
  const seen = new WeakMap();
  const rank = (parent, children, child) => {
    let ranks = seen.get(parent);
    if (!ranks) {
      ranks = new Map();
      for (const each of children) if (each.nodeType === 1) ranks.set(each, ranks.size);
      seen.set(parent, ranks);
    }
    return ranks.get(child);
  };
  const path = element => {
    const steps = [];
    for (let at = element; at !== document.documentElement;) {
      const slot = at.assignedSlot;
      const parent = slot || at.parentNode;
      if (!parent) return null;
      const step = rank(parent, slot ? slot.assignedNodes() : parent.childNodes, at);
      if (step === undefined) return null;
      steps.push(step);
      at = parent.nodeType === 11 ? parent.host : parent;
      if (!at) return null;
    }
    return steps.reverse();
  };
  const found = new Map();
  const add = (element, flag) => found.set(element, (found.get(element) || 0) | flag);
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  if (active && active !== document.body && active !== document.documentElement) add(active, 1);
  // An empty field that must be filled is not wrong yet.
  const said = element => element.validity && !['object', 'fieldset'].includes(element.localName)
    && !(element.validity.valueMissing && element.localName !== 'select');
  const frames = [];
  const roots = [document];
  for (let root; (root = roots.pop());) {
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
    for (const element of root.querySelectorAll('input:indeterminate')) if (element.type === 'checkbox') add(element, 2);
    for (const element of root.querySelectorAll(':invalid')) if (said(element)) add(element, 4);
    for (const element of root.querySelectorAll('select:open')) add(element, 8);
    for (const element of root.querySelectorAll('iframe,frame,object,embed')) {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const wide = element.offsetWidth ? box.width / element.offsetWidth : 1;
      const high = element.offsetHeight ? box.height / element.offsetHeight : 1;
      frames.push([element.localName, path(element), (element.clientLeft + parseFloat(style.paddingLeft)) * wide,
        (element.clientTop + parseFloat(style.paddingTop)) * high, wide, high]);
    }
  }
  return {
    flags: [...found].map(([element, flag]) => [element.localName, path(element), flag]),
    frames,
    viewport: [innerWidth, innerHeight],
  };
})()
