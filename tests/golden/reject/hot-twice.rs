hot!(BASE, BASE_QUIET, BASE);

//~ 1:24: the hot list names `BASE` twice [hot-twice]
